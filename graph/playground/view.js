// How answers look.

// element makes a DOM element. Strings become text nodes, so that nothing a
// server answers is ever read as HTML.
export function element(tag, properties, ...children) {
  const e = Object.assign(document.createElement(tag), properties);
  e.append(...children);
  return e;
}

// pretty writes JSON with two spaces, but lists and short objects of plain
// values on one line: a result row reads better across than down.
export function pretty(value, indent = "") {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const list = Array.isArray(value);
  const deeper = indent + "  ";
  const items = list
    ? value.map((v) => pretty(v, deeper))
    : Object.entries(value).map(([k, v]) => JSON.stringify(k) + ": " + pretty(v, deeper));
  const [open, close] = list ? "[]" : "{}";
  const line = open + items.join(", ") + close;
  const plain = Object.values(value).every((v) => v === null || typeof v !== "object");
  if (items.length === 0 || (plain && (list || line.length <= 60))) return line;
  return open + "\n" + deeper + items.join(",\n" + deeper) + "\n" + indent + close;
}

const token = /("[^"\\]*(?:\\.[^"\\]*)*")(?=(:)?)|-?\d[\d.eE+-]*|true|false|null/g;
const mostColoured = 300_000; // beyond, the many elements would be slow

// coloured turns pretty JSON into nodes.
export function coloured(json) {
  if (json.length > mostColoured) return [json];
  const nodes = [];
  let end = 0;
  for (const m of json.matchAll(token)) {
    const className = m[2] ? "key" : m[1] ? "string" : "literal";
    nodes.push(json.slice(end, m.index), element("span", { className }, m[0]));
    end = m.index + m[0].length;
  }
  return [...nodes, json.slice(end)];
}

// errorItems are the list items of GraphQL errors.
export function errorItems(errors) {
  return errors.map(({ message, path, locations, extensions }) => {
    const { code, fields, retryAfter } = extensions ?? {};
    const where = [
      path?.join("."),
      ...(locations ?? []).map((l) => `line ${l.line}, column ${l.column}`),
      retryAfter && `try again in ${retryAfter} s`,
    ].filter(Boolean);
    const item = element("li", {}, code ? element("code", {}, code) : "", " ", message);
    if (where.length) item.append(element("small", {}, " " + where.join(" · ")));
    if (Array.isArray(fields) && fields.length) {
      item.append(element("ul", {}, ...fields.map((f) => element("li", {}, element("b", {}, f.field), " " + f.message))));
    }
    return item;
  });
}

// size writes a number of bytes for people.
export function size(bytes) {
  if (bytes < 1000) return bytes + " B";
  return bytes < 1e6 ? (bytes / 1e3).toFixed(1) + " kB" : (bytes / 1e6).toFixed(1) + " MB";
}
