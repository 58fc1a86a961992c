// Nodes are records in the memory; a rule gets an object for each that it
// touches. The same node is the same object within one run.
const AT = Symbol("at"), START = Symbol("start"), END = Symbol("end");

let nodes = [];     // by number
let byHandle;       // handle -> number, made when a rule first navigates
let nodeCount = 0;
const kinds = [], fields = []; // names by the grammar's numbers

class Node {
  constructor(id, at) {
    this.id = id;
    this[AT] = at;
    this[START] = undefined;
    this[END] = undefined;
  }
  get cstType() { return name(kinds, NAV_KIND, mem[(this[AT] >>> 0) + 1]); }
  get astType() { return this.cstType; }
  get text() { return code().substring(mem[(this[AT] >>> 0) + 2], mem[(this[AT] >>> 0) + 3]); }
  get start() {
    const at = this[AT] >>> 0;
    return this[START] ?? (this[START] = { line: mem[at + 4], col: mem[at + 5] });
  }
  get end() {
    const at = this[AT] >>> 0;
    return this[END] ?? (this[END] = { line: mem[at + 6], col: mem[at + 7] });
  }
  get children() { return getChildren(this); }
}

function node(id) {
  const n = nodes[id];
  return n === undefined ? (nodes[id] = new Node(id, mem[NODES_AT] + id * NODE_WORDS)) : n;
}

function name(cache, op, number) {
  if (cache[number] === undefined) {
    room(256);
    cache[number] = chars(free, navigate(op, number, 0, free));
  }
  return cache[number];
}

// The node of a record that navigation left at the first free word; the record
// stays there if the node is new.
function found(at) {
  if (byHandle === undefined) {
    byHandle = new Map();
    for (let i = 0; i < nodeCount; i++) byHandle.set(mem[mem[NODES_AT] + i * NODE_WORDS], i);
  }
  let id = byHandle.get(mem[at]);
  if (id === undefined) {
    id = nodeCount++;
    byHandle.set(mem[at], id);
    nodes[id] = new Node(id, at);
  }
  return node(id);
}

function handle(n) {
  if (!(n instanceof Node)) throw new TypeError("not a node");
  return mem[n[AT] >>> 0];
}

function getParent(n) {
  room(NODE_WORDS);
  if (navigate(NAV_PARENT, handle(n), 0, free) !== 1) return undefined;
  const known = nodeCount, parent = found(free);
  if (nodeCount > known) free += NODE_WORDS;
  return parent;
}

function getChildren(n) {
  const children = [];
  for (;;) {
    // Each call walks over the children that came before, so ask for ever more.
    room((children.length < 64 ? 64 : children.length) * NODE_WORDS);
    const at = free, known = nodeCount;
    const count = navigate(NAV_CHILDREN, handle(n), children.length, at);
    if (count <= 0) return children;
    free += count * NODE_WORDS;
    for (let i = 0; i < count; i++) {
      const child = found(at + i * NODE_WORDS);
      const field = mem[at + i * NODE_WORDS + 8];
      children[children.length] = field === 0 ? child
        : create(child, { fieldName: { value: name(fields, NAV_FIELD, field), enumerable: true } });
    }
    if (nodeCount === known) free = at; // nobody needs their records again
  }
}

function findAncestor(n, predicate) {
  for (let p = getParent(n); p !== undefined; p = getParent(p)) if (predicate(p)) return p;
  return undefined;
}

function findDescendant(n, predicate) {
  for (const child of getChildren(n)) {
    if (predicate(child)) return child;
    const hit = findDescendant(child, predicate);
    if (hit !== undefined) return hit;
  }
  return undefined;
}
