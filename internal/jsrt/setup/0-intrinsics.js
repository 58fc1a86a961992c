// Intrinsics are a context's own, but they outlive a run. Most are frozen. Those
// that rules have reason to assign over (e.name = ...), or whose freezing makes
// arrays and regular expressions several times slower, stay as they are, and
// changed() finds a rule that has changed them.
//
// It compares values. So it does not see a getter that gives the value it took
// the place of, nor a property made read-only; nor getters of RegExp.prototype
// that were redefined or deleted, or hidden properties that were added there:
// listing its keys would double the cost of an execution. They reach the rule's
// own later files, nobody else's.
const { freeze, create } = Object;

// V8 never forgets a symbol of Symbol.for. These last for a run.
let registered;
Symbol.for = (key) => {
  key = `${key}`;
  registered ??= new Map();
  if (!registered.has(key)) registered.set(key, Symbol(key));
  return registered.get(key);
};
Symbol.keyFor = (symbol) => (registered?.get(symbol.description) === symbol ? symbol.description : undefined);

const changed = (() => {
  const { getOwnPropertyDescriptor, getPrototypeOf, preventExtensions } = Object;
  const { ownKeys, defineProperty } = Reflect;

  for (const key of [
    "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "input", "$_", "lastMatch", "$&",
    "lastParen", "$+", "leftContext", "$`", "rightContext", "$'",
  ]) delete RegExp[key];

  for (const [o, keys] of watched) {
    // A change of its shape would take RegExp.prototype off V8's fast path.
    if (o === RegExp.prototype) continue;
    for (const key of ownKeys(o)) {
      if (keys.includes(key)) continue;
      const d = getOwnPropertyDescriptor(o, key);
      defineProperty(o, key, "value" in d ? { writable: false, configurable: false } : { configurable: false });
    }
    preventExtensions(o);
  }

  // Whatever else can be reached from the global object, or from syntax.
  const seen = new Set([globalThis]);
  const found = [
    [][Symbol.iterator](), ""[Symbol.iterator](), new Map().entries(), new Set().entries(), "".matchAll(/a/g),
    function* () {}, async function () {}, async function* () {},
  ];
  for (const key of ownKeys(globalThis)) found.push(globalThis[key]);
  while (found.length > 0) {
    const o = found.pop();
    if ((typeof o !== "object" && typeof o !== "function") || o === null || seen.has(o)) continue;
    seen.add(o);
    found.push(getPrototypeOf(o));
    const keys = ownKeys(o);
    if (typeof o === "function" && keys.length === 2) { // name and length
      freeze(o);
      continue;
    }
    for (const key of keys) {
      const d = getOwnPropertyDescriptor(o, key);
      if ("value" in d) found.push(d.value);
      else found.push(d.get, d.set);
    }
    if (!watched.some(([w]) => w === o)) freeze(o);
  }
  const regexp = RegExp.prototype, objectPrototype = Object.prototype;
  return () => {
    for (const _ in regexp) return true; // an added property
    return getPrototypeOf(regexp) !== objectPrototype || !same();
  };
})();
