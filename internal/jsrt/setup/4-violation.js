// What a rule reports, and how it is handed over.
let violations = [], lines = [], printed = 0;
let over; // the limit that the run has broken; catching the error does not help

function broken(limit) {
  over ??= new RangeError(limit);
  throw over;
}

class Violation {
  constructor(start, end, message) {
    this.start = start;
    this.end = end;
    this.message = message;
    this.fixes = [];
  }
  addFix(fix) {
    this.fixes[this.fixes.length] = fix;
    return this;
  }
  // new(message, startLine, startCol, endLine, endCol), new(message, start, end)
  // or new(message, node or region).
  static new(message, a, b, c, d) {
    let start, end;
    if (typeof a === "object" && a !== null) {
      start = b === undefined ? a.start : a;
      end = b === undefined ? a.end : b;
    } else {
      start = { line: a, col: b };
      end = { line: c, col: d };
    }
    start = position(start, "start");
    end = position(end, "end");
    if (start.line > end.line || (start.line === end.line && start.col > end.col)) {
      throw new RangeError(`violation ends before it starts: ${where(start)} > ${where(end)}`);
    }
    return new Violation(start, end, typeof message === "object" ? String(message) : message);
  }
}

const where = ({ line, col }) => `${line}:${col}`;

function position(p, what) {
  if (typeof p !== "object" || p === null) throw new TypeError(`${what} is not a position`);
  return { line: natural(p.line, `${what}.line`), col: natural(p.col, `${what}.col`) };
}

function natural(n, what) {
  if (typeof n !== "number" || n >>> 0 !== n) throw new TypeError(`${what} is not a whole number: ${String(n)}`);
  return n;
}

class Fix {
  constructor(description, edits) {
    this.description = description;
    this.edits = edits;
  }
  static new(description, edits) { return new Fix(description, edits); }
}

const KINDS = freeze(["ADD", "REMOVE", "UPDATE"]), ADD = 0, REMOVE = 1;

function buildEdit(startLine, startCol, endLine, endCol, kind, content) {
  return { start: { line: startLine, col: startCol }, end: { line: endLine, col: endCol }, editType: String(kind).toUpperCase(), content };
}
const buildEditAdd = (line, col, content) => ({ start: { line, col }, editType: "ADD", content });
const buildEditRemove = (sl, sc, el, ec) => buildEdit(sl, sc, el, ec, "REMOVE");
const buildEditUpdate = (sl, sc, el, ec, content) => buildEdit(sl, sc, el, ec, "UPDATE", content);
const buildError = (sl, sc, el, ec, message) => Violation.new(message, sl, sc, el, ec);

function addError(v) {
  if (violations.length >= mem[MAX_VIOLATIONS]) broken(`more than ${mem[MAX_VIOLATIONS]} violations`);
  violations[violations.length] = v;
}

// console.log

function plain(_, v) {
  if (!(v instanceof Node)) return v;
  const { cstType, fieldName, start, end, text } = v;
  return fieldName === undefined ? { cstType, start, end, text } : { cstType, fieldName, start, end, text };
}

function log(...args) {
  let line = "";
  for (let i = 0; i < args.length; i++) {
    const v = args[i];
    const json = typeof v === "object" && v !== null && v !== codeProxy && v !== filenameProxy;
    line += (i === 0 ? "" : " ") + (json ? JSON.stringify(v, plain) : String(v));
  }
  printed += line.length + 1;
  if (printed > mem[MAX_OUTPUT]) broken(`console output of more than ${mem[MAX_OUTPUT]} characters`);
  lines[lines.length] = line;
}

// Handing over: numbers go to the memory, texts into one string, each ended by
// a line feed that its length does not count. Everything of the rule's is read
// once: reading may run its getters, and a second answer may be another.
let handed;

function put(n) {
  room(1);
  mem[free++] = n;
}

function putText(s, what) {
  if (typeof s !== "string") throw new TypeError(`${what} is not a string`);
  if (s.length > mem[MAX_TEXT]) broken(`${what} of more than ${mem[MAX_TEXT]} characters`);
  put(s.length);
  handed += s + "\n";
  if (handed.length > MAX_TEXTS) broken(`texts of more than ${MAX_TEXTS} characters`);
}

function putPosition(p, what) {
  const { line, col } = position(p, what);
  put(line);
  put(col);
}

function putList(list, what, each, putEach) {
  if (!Array.isArray(list)) throw new TypeError(`${what} are not a list`);
  const n = list.length >>> 0;
  put(n);
  for (let i = 0; i < n; i++) {
    const item = list[i];
    if (typeof item !== "object" || item === null) throw new TypeError(`${each} is not an object`);
    putEach(item);
  }
}

function putViolation(v) {
  if (!(v instanceof Violation)) throw new TypeError("addError was given something that is not a violation");
  putPosition(v.start, "violation start");
  putPosition(v.end, "violation end");
  putText(v.message, "violation message");
  putList(v.fixes, "violation fixes", "violation fix", putFix);
}

function putFix(fix) {
  putText(fix.description, "fix description");
  putList(fix.edits, "fix edits", "fix edit", putEdit);
}

function putEdit({ start, end, editType, content }) {
  const kind = KINDS.indexOf(editType);
  if (kind < 0) throw new TypeError(`unknown kind of edit: ${String(editType)}`);
  put(kind);
  putPosition(start, "edit start");
  if (kind !== ADD) putPosition(end, "edit end");
  if (kind !== REMOVE) putText(content, "edit content");
}

function handOver() {
  if (over !== undefined) throw over;
  const count = violations.length;
  mem[FINDINGS_AT] = free;
  mem[VIOLATIONS] = count;
  mem[OUTPUT] = lines.length;
  if (count === 0 && lines.length === 0) return undefined;
  const output = lines.join("\n");
  handed = "";
  for (let i = 0; i < count; i++) putViolation(violations[i]);
  return handed + output;
}
