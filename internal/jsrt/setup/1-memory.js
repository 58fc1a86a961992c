// The flat memory, word for word as in layout.go, and the text at hand.
//
// All of setup is the body of one function (text, navigate, grow, memory). It
// runs once per context, before the rule. Nothing of a run may outlive it: what
// a run changes here, reset() sets back.
//
// The memory is all rules' of a runtime, and must not get into a rule's hands:
// what indexes it has to be a number first, because a rule can put anything into
// its objects, and a typed array has more properties than its elements.
const MATCHES = 0, NODES = 1, NODES_AT = 2, MATCHES_AT = 3, FREE = 4;
const FINDINGS_AT = 5, VIOLATIONS = 6, OUTPUT = 7, CHANGED = 8, VISITS = 9;
const NAME_AT = 16;
const NODE_WORDS = 9;
const NAV_CHILDREN = 0, NAV_PARENT = 1, NAV_KIND = 2, NAV_FIELD = 3;

// The sum of all texts that one run may hand over, in UTF-16 units.
const MAX_TEXTS = 1 << 24;

const { fromCharCode } = String;

let mem = memory;
let captureNames; // of the rule, by number
let limits;       // maximal numbers: violations, edits, text, output
let free = 0; // first word that nobody uses
let fileText, fileName, lineStarts;

function room(words) {
  if (free + words <= mem.length) return;
  const grown = grow(free + words);
  if (grown === undefined) throw new RangeError("results do not fit in memory");
  mem = grown;
}

function code() {
  return fileText === undefined ? (fileText = text()) : fileText;
}

function chars(at, n) {
  let s = "";
  for (let i = 0; i < n; i++) s += fromCharCode(mem[at + i]);
  return s;
}

function filename() {
  return fileName === undefined ? (fileName = chars(NAME_AT + 1, mem[NAME_AT])) : fileName;
}

// A rule sees the text and the name as objects that behave like strings. They do
// not inherit from String.prototype: if any object does, all string methods are
// twice as slow.
function stringProxy(get) {
  return new Proxy(freeze({}), freeze({
    get(_, key) {
      const s = get();
      if (key === "toJSON") return () => s;
      const v = s[key];
      return typeof v === "function" ? (...args) => s[key](...args) : v;
    },
    has: (_, key) => key in Object(get()),
    set: () => false,
  }));
}

const codeProxy = stringProxy(code);
const filenameProxy = stringProxy(filename);

// The part of a text between two positions, 1-based, columns in UTF-16 units.
// The text is the file's unless another is given.
function getCode(start, end, given) {
  const s = given === undefined || given === codeProxy ? code() : String(given);
  const starts = s === code() ? (lineStarts ??= startsOfLines(s)) : startsOfLines(s);
  const offset = ({ line, col }) => (line > starts.length ? s.length : starts[line - 1] + col - 1);
  return s.substring(offset(start), offset(end));
}

function startsOfLines(s) {
  const starts = [0];
  for (let i = s.indexOf("\n"); i >= 0; i = s.indexOf("\n", i + 1)) starts[starts.length] = i + 1;
  return starts;
}
