// The schema panel, filled by introspection.
import { element } from "./view.js";

const introspection = `query Introspection {
  __schema {
    queryType { name }
    mutationType { name }
    types {
      kind name description
      fields(includeDeprecated: true) { name description type { ...ref } args { ...value } }
      inputFields { ...value }
      enumValues(includeDeprecated: true) { name description }
    }
  }
}
fragment value on __InputValue { name description defaultValue type { ...ref } }
fragment ref on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`;

// Kinds of types in the order of their sections.
const sections = {
  OBJECT: "Types", INTERFACE: "Interfaces", UNION: "Unions",
  INPUT_OBJECT: "Inputs", ENUM: "Enums", SCALAR: "Scalars",
};

// A list that does not apply to a kind may be null or empty.
const members = (t) => [t.fields, t.inputFields, t.enumValues].find((list) => list?.length) ?? [];

// Panel shows the schema that ask, which sends an operation, is answered with.
export class Panel {
  #ask;
  #into;
  #note;
  #filter;
  #entries = []; // { name, box, parts: [{ name, item }] }

  constructor(ask, into, note, filter) {
    [this.#ask, this.#into, this.#note, this.#filter] = [ask, into, note, filter];
    filter.addEventListener("input", () => this.#narrow());
  }

  async load() {
    this.#entries = [];
    this.#into.replaceChildren();
    this.#note.textContent = "Reading the schema…";
    let schema, reason;
    try {
      const { status, body } = await this.#ask({ query: introspection });
      schema = body?.data?.__schema;
      reason = body?.errors?.[0]?.message ?? body?.message ?? "status " + status;
    } catch (error) {
      reason = error.message;
    }
    if (!schema) {
      this.#note.textContent = `The server shows no schema: ${reason}. Operations work all the same.`;
      return;
    }
    this.#show(schema);
    this.#narrow();
  }

  #show({ queryType, mutationType, types }) {
    const root = (of) => types.find((t) => t.name === of?.name)?.fields ?? [];
    this.#section("Queries", root(queryType).map((f) => this.#entry(f, f.args, f.type)));
    this.#section("Mutations", root(mutationType).map((f) => this.#entry(f, f.args, f.type)));
    const roots = [queryType?.name, mutationType?.name];
    const shown = types.filter((t) => !t.name.startsWith("__") && !roots.includes(t.name));
    for (const [kind, title] of Object.entries(sections)) {
      const own = shown.filter((t) => t.kind === kind).sort((a, b) => a.name.localeCompare(b.name));
      this.#section(title, own.map((t) => this.#entry(t, members(t))));
    }
  }

  #section(title, boxes) {
    if (boxes.length) this.#into.append(element("section", {}, element("h3", {}, title), ...boxes));
  }

  // An entry is a root field with its arguments, or a type with its fields.
  #entry({ name, description }, list, answers) {
    const parts = list.map((m) => ({ name: m.name, item: this.#member(m) }));
    const box = element("details", { className: "entry" },
      element("summary", {}, element("code", {}, name)),
      description ? element("p", {}, description) : "",
      element("ul", {}, ...parts.map((p) => p.item)));
    if (answers) box.append(element("p", {}, "Answers ", element("code", {}, ...this.#type(answers))));
    this.#entries.push({ name, box, parts, type: !answers });
    return box;
  }

  #member({ name, description, type, args, defaultValue }) {
    const line = element("code", {}, name);
    if (args?.length) {
      line.append("(", ...args.flatMap((a, i) => [i ? ", " : "", a.name + ": ", ...this.#type(a.type)]), ")");
    }
    if (type) line.append(": ", ...this.#type(type));
    if (defaultValue) line.append(" = " + defaultValue);
    return element("li", {}, line, description ? element("p", {}, description) : "");
  }

  // The notation of a type; its name leads to the type's entry.
  #type(t) {
    if (t.kind === "NON_NULL") return [...this.#type(t.ofType), "!"];
    if (t.kind === "LIST") return ["[", ...this.#type(t.ofType), "]"];
    return [element("button", { type: "button", className: "type", onclick: () => this.#open(t.name) }, t.name)];
  }

  #open(name) {
    const entry = this.#entries.find((e) => e.type && e.name === name);
    if (entry.box.hidden) {
      this.#filter.value = "";
      this.#narrow();
    }
    entry.box.open = true;
    entry.box.querySelector("summary").focus();
    entry.box.scrollIntoView({ block: "start" });
  }

  // narrow leaves what has the filter's text in its name, or in that of a part.
  #narrow() {
    const text = this.#filter.value.trim().toLowerCase();
    const has = ({ name }) => name.toLowerCase().includes(text);
    for (const entry of this.#entries) {
      const whole = has(entry);
      for (const part of entry.parts) part.item.hidden = !whole && !has(part);
      entry.box.hidden = !whole && !entry.parts.some(has);
      entry.box.open = !whole && !entry.box.hidden;
    }
    for (const section of this.#into.children) section.hidden = !section.querySelector(".entry:not([hidden])");
    if (this.#entries.length) {
      this.#note.textContent = this.#entries.every((e) => e.box.hidden) ? "Nothing has this name." : "";
    }
  }
}
