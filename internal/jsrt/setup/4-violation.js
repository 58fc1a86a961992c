// What a rule reports, and how it is handed over.
let violations = [], edits = 0; // edits counts fixes too
let output; // what was printed, if anything
let over; // the limit that the run has broken; catching the error does not help

function broken(limit) {
  over ??= new RangeError(limit);
  throw over;
}

class Violation {
  // The location is startLine, startCol, endLine, endCol; or start, end; or a
  // node or region.
  constructor(message, a, b, c, d) {
    let start, end;
    if (typeof a !== "object" || a === null) {
      start = { line: a, col: b };
      end = { line: c, col: d };
    } else if (b !== undefined) {
      start = a;
      end = b;
    } else if (a.startLine !== undefined) {
      start = { line: a.startLine, col: a.startCol };
      end = { line: a.endLine, col: a.endCol };
    } else {
      start = a.start;
      end = a.end;
    }
    start = position(start, "start");
    end = position(end, "end");
    if (start.line > end.line || (start.line === end.line && start.col > end.col)) {
      throw new RangeError(`violation ends before it starts: ${where(start)} > ${where(end)}`);
    }
    this.message = asText(message);
    this.start = start;
    this.end = end;
    this.fixes = undefined;
  }
  static new(message, a, b, c, d) { return new Violation(message, a, b, c, d); }

  addFix(fix) {
    const fixes = this.fixes ?? (this.fixes = []);
    fixes[fixes.length] = fix;
    return this;
  }

  // The original's form of start and end.
  get baseRegion() {
    const { start, end } = this;
    return freeze({ startLine: start.line, startCol: start.col, endLine: end.line, endCol: end.col });
  }
}

// A rule may give an object for a text, such as the proxies of the file's name
// and text.
const asText = (v) => (typeof v === "object" && v !== null ? String(v) : v);

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
  constructor(message, edits) {
    this.message = message;
    this.edits = edits;
  }
  static new(message, edits) { return new Fix(message, edits); }
}

const ADD = 0, REMOVE = 1, UPDATE = 2;

function buildEdit(sl, sc, el, ec, kind, content) {
  return {
    start: { line: sl, col: sc }, end: { line: el, col: ec },
    editType: String(kind).toUpperCase(), content: asText(content),
  };
}
const buildEditAdd = (line, col, content) => buildEdit(line, col, undefined, undefined, "ADD", content);
const buildEditRemove = (sl, sc, el, ec) => buildEdit(sl, sc, el, ec, "REMOVE");
const buildEditUpdate = (sl, sc, el, ec, content) => buildEdit(sl, sc, el, ec, "UPDATE", content);
const buildFix = (message, edits) => new Fix(asText(message), edits);
const buildError = (sl, sc, el, ec, message) => new Violation(message, sl, sc, el, ec);

function addError(v) {
  if (violations.length >= limits.violations) broken(`more than ${limits.violations} violations`);
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
  if ((output?.length ?? 0) + line.length >= limits.output) {
    broken(`console output of more than ${limits.output} characters`);
  }
  output = output === undefined ? line : output + "\n" + line;
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
  if (s.length > limits.text) broken(`${what} of more than ${limits.text} characters`);
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
  edits += n;
  if (edits > limits.edits) broken(`more than ${limits.edits} fixes and edits`);
  put(n);
  for (let i = 0; i < n; i++) {
    const item = list[i];
    if (typeof item !== "object" || item === null) throw new TypeError(`${each} is not an object`);
    putEach(item);
  }
}

function putViolation(v) {
  if (!(v instanceof Violation)) v = violation(v);
  putPosition(v.start, "violation start");
  putPosition(v.end, "violation end");
  putText(v.message, "violation message");
  putList(v.fixes ?? [], "violation fixes", "violation fix", putFix);
}

// As in the original, an object with the fields of one is a violation too.
function violation(v) {
  const { message, baseRegion, fixes } = Object(v);
  if (baseRegion?.startLine === undefined) {
    throw new TypeError("addError was given something that is not a violation");
  }
  const copy = new Violation(message, baseRegion);
  copy.fixes = fixes;
  return copy;
}

function putFix({ message, edits }) {
  putText(message, "fix description");
  putList(edits, "fix edits", "fix edit", putEdit);
}

function putEdit({ start, end, editType, content }) {
  const kind = editType === "ADD" ? ADD : editType === "REMOVE" ? REMOVE : UPDATE;
  if (kind === UPDATE && editType !== "UPDATE") throw new TypeError(`unknown kind of edit: ${String(editType)}`);
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
  mem[OUTPUT] = output === undefined ? 0 : 1;
  if (count === 0) return output;
  const printed = output; // getters below may print more
  handed = "";
  for (let i = 0; i < count; i++) putViolation(violations[i]);
  return printed === undefined ? handed : handed + printed;
}
