// One run of a rule. The function returned from here is the context's runner.

const nothing = /^/;

// Forgets what a run has left, since a context waits for long. It is called when
// a run has ended, and again when its microtasks have: then nothing is left for
// the next one.
function reset() {
  // V8 keeps the subject of a context's last match.
  if (fileText !== undefined) nothing.test("");
  fileText = fileName = lineStarts = importList = byHandle = over = registered = output = undefined;
  handed = "";
  edits = 0;
  if (nodes.length !== 0) nodes = [];
  if (violations.length !== 0) violations = [];
}

function run(rule) {
  const { visit, before, after } = rule();
  const count = mem[MATCHES];
  let at = mem[MATCHES_AT];
  if (before !== undefined) before.length === 0 ? before() : before(all(at, count));
  for (let i = 0; i < count; i++) {
    mem[VISITS] = i + 1;
    visit(new Match(at), filenameProxy, codeProxy);
    at += 1 + 2 * mem[at];
  }
  if (after !== undefined) after();
  return handOver();
}

function all(at, count) {
  const matches = [];
  for (let i = 0; i < count; i++, at += 1 + 2 * mem[at]) matches[i] = new Match(at);
  return matches;
}

return (rule, moved, config) => {
  if (moved !== undefined) mem = moved;
  if (config !== undefined) return prepare(config);
  let text;
  if (rule !== undefined) {
    nodeCount = mem[NODES];
    free = mem[FREE];
    text = run(rule);
  }
  // Looking may run a getter that the rule has put in a value's place: unless
  // the answer is no, it is yes.
  mem[CHANGED] = 1;
  try {
    if (!changed()) mem[CHANGED] = 0;
  } finally {
    reset();
  }
  return text;
};
