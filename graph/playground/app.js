// The page: editors, credentials, and sending operations.
import { md5 } from "./md5.js";
import { Panel } from "./schema.js";
import { coloured, element, errorItems, pretty, size } from "./view.js";

const $ = (id) => document.getElementById(id);
const endpoint = new URL(document.body.dataset.endpoint, location.href);

// Credentials are read from their fields when needed and kept nowhere else.
const signs = () => $("method").value === "key";
const field = (id) => $(id).value.trim();

// ask sends an operation. Each request is signed anew: a signature holds for
// five minutes only.
async function ask(operation, signal) {
  const url = new URL(endpoint);
  const headers = { "Content-Type": "application/json" };
  if (!signs() && field("token")) headers.Authorization = "Bearer " + field("token");
  if (signs() && field("api-key")) {
    const seconds = Math.floor(Date.now() / 1000);
    url.searchParams.set("apiKey", field("api-key"));
    url.searchParams.set("sig", md5(field("api-key") + field("secret") + seconds));
  }
  const began = performance.now();
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(operation), signal });
  const bytes = await response.arrayBuffer();
  const ms = Math.round(performance.now() - began);
  const text = new TextDecoder().decode(bytes);
  let body;
  try {
    body = JSON.parse(text);
  } catch { /* shown as text */ }
  return { status: response.status, ms, bytes: bytes.byteLength, text, body };
}

// What comes at the top level of a document: strings and comments are skipped,
// everything in brackets lies deeper.
const lexeme = /"""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\\n])*"|#.*|[{}()]|[@$]?\w+/g;

// operations are the names of a document's operations.
function operations(document) {
  const names = [];
  let depth = 0;
  let before = "";
  for (const [word] of document.matchAll(lexeme)) {
    if (/^["#]/.test(word)) continue;
    if ("{(".includes(word)) depth++;
    else if ("})".includes(word)) depth--;
    else if (depth === 0 && /^(query|mutation|subscription)$/.test(before) && word[0] !== "@") names.push(word);
    before = depth === 0 && before !== "fragment" ? word : "";
  }
  return names;
}

function showOperations() {
  const names = operations($("query").value);
  const chosen = $("operation").value;
  $("operation").replaceChildren(...names.map((n) => element("option", { selected: n === chosen }, n)));
  $("picker").hidden = names.length < 2;
}

// variables are those of the editor; undefined after telling what is wrong.
function variables() {
  let problem = "";
  let value = {};
  try {
    value = JSON.parse($("variables").value.trim() || "{}");
    if (value === null || typeof value !== "object" || Array.isArray(value)) problem = "must be a JSON object";
  } catch (error) {
    problem = "no JSON: " + error.message;
  }
  $("variables-note").textContent = problem || "JSON";
  $("variables").setAttribute("aria-invalid", problem !== "");
  return problem ? undefined : value;
}

// operation is what the editors say; undefined after telling what is wrong.
function operation() {
  const values = variables();
  if (!values) {
    $("variables").focus();
    return undefined;
  }
  const out = { query: $("query").value, variables: values };
  if ($("operation").value) out.operationName = $("operation").value;
  return out;
}

let running; // aborts the request under way
const answered = {}; // the last answer of each root field, for examples that go on from it

async function run() {
  const payload = operation();
  if (!payload || running) return;
  running = new AbortController();
  $("run").textContent = "Stop";
  $("result").ariaBusy = "true";
  show("running…", [], "");
  try {
    const { status, ms, bytes, text, body } = await ask(payload, running.signal);
    Object.assign(answered, body?.data);
    let errors = body?.errors ?? [];
    if (!errors.length && status >= 400) {
      errors = [{ message: body?.message ?? "The server refused the request.", extensions: { code: body?.code } }];
    }
    show(`${status} · ${ms} ms · ${size(bytes)}`, errors, body === undefined ? text : pretty(body));
  } catch (error) {
    const stopped = error.name === "AbortError";
    show(stopped ? "stopped" : "no answer", stopped ? [] : [{ message: error.message }], "");
  }
  running = undefined;
  $("run").textContent = "Run";
  $("result").ariaBusy = "false";
}

function show(status, errors, answer) {
  $("status").textContent = status;
  $("result").classList.toggle("failed", errors.length > 0);
  $("errors").replaceChildren(...errorItems(errors));
  $("answer").replaceChildren(...coloured(answer));
}

const quoted = (text) => "'" + text.replaceAll("'", "'\\''") + "'";

// curl is the operation as a shell command. It signs by itself, so that it
// stays valid; credentials are placeholders unless the user wants them in.
function curl(payload) {
  const secret = (id, placeholder) => quoted(($("include").checked && field(id)) || placeholder);
  const data = ` \\\n  -H 'Content-Type: application/json' \\\n  --data ${quoted(JSON.stringify(payload))}`;
  if (!signs()) {
    return `TOKEN=${secret("token", "<token>")}\ncurl ${quoted(endpoint.href)} \\\n  -H "Authorization: Bearer $TOKEN"${data}`;
  }
  return `API_KEY=${secret("api-key", "<api key>")}\nSECRET=${secret("secret", "<secret>")}\n` +
    `SIG=$(printf %s "$API_KEY$SECRET$(date +%s)" | md5sum | cut -c1-32)\n` +
    `curl ${quoted(endpoint.href)}"?apiKey=$API_KEY&sig=$SIG"${data}`;
}

async function copyCurl() {
  const payload = operation();
  if (!payload) return;
  const command = curl(payload);
  try {
    await navigator.clipboard.writeText(command);
    $("curl").textContent = "Copied";
    setTimeout(() => ($("curl").textContent = "Copy as curl"), 1500);
  } catch { // plain HTTP has no clipboard
    show("copy the command below", [], "");
    $("answer").textContent = command;
    getSelection().selectAllChildren($("answer"));
  }
}

// insert replaces the selection as typing would, so that undo works.
function insert(editor, text) {
  editor.focus();
  if (!document.execCommand("insertText", false, text)) {
    editor.setRangeText(text, editor.selectionStart, editor.selectionEnd, "end");
    editor.dispatchEvent(new Event("input"));
  }
}

function fill(editor, text) {
  editor.select();
  insert(editor, text);
  editor.setSelectionRange(0, 0);
  editor.scrollTop = 0;
}

// Tab and Enter indent. After Escape, Tab moves the focus as everywhere else.
function editing(editor) {
  let leaving = false;
  editor.addEventListener("blur", () => (leaving = false));
  editor.addEventListener("keydown", (event) => {
    const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (event.key === "Tab" && plain && !leaving) {
      event.preventDefault();
      insert(editor, "  ");
    } else if (event.key === "Enter" && plain) {
      event.preventDefault();
      const line = editor.value.slice(0, editor.selectionStart).split("\n").pop();
      insert(editor, "\n" + line.match(/^ */)[0] + (/[{[(]$/.test(line) ? "  " : ""));
    }
    leaving = event.key === "Escape" || (leaving && event.key === "Shift");
  });
}

// Examples may take variables from earlier answers: "from" has, for a
// variable, paths into answers, of which the first that leads somewhere counts.
function load({ query, variables, from = {} }) {
  const values = { ...variables };
  for (const [name, paths] of Object.entries(from)) {
    const found = paths.map((p) => p.split(".").reduce((v, key) => v?.[key], answered)).find(Boolean);
    if (found) values[name] = found;
  }
  fill($("variables"), pretty(values));
  fill($("query"), query.join("\n"));
}

async function listExamples() {
  const response = await fetch(new URL("examples.json", import.meta.url));
  const groups = await response.json();
  $("examples").replaceChildren(...groups.flatMap(({ group, examples }) => [
    element("h3", {}, group),
    element("ul", {}, ...examples.map((e) =>
      element("li", {}, element("button", { type: "button", onclick: () => load(e) }, e.name)))),
  ]));
  if (!$("query").value) load(groups[0].examples[0]);
}

const panel = new Panel(ask, $("schema"), $("schema-note"), $("filter"));

editing($("query"));
editing($("variables"));
$("query").addEventListener("input", showOperations);
$("variables").addEventListener("input", variables);
$("method").addEventListener("change", () => {
  $("by-token").hidden = signs();
  $("by-key").hidden = !signs();
});
$("run").addEventListener("click", () => (running ? running.abort() : run()));
$("curl").addEventListener("click", copyCurl);
$("reload").addEventListener("click", () => panel.load());
$("schema-panel").addEventListener("toggle", () => $("schema").hasChildNodes() || panel.load());
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    run();
  }
});
if (matchMedia("(max-width: 640px)").matches) $("examples-panel").open = false; // the editor comes first
listExamples();
