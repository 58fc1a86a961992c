// Intrinsics are a context's own, but they outlive a run. Most are frozen. Those
// that rules have reason to assign over (e.name = ...), or whose freezing makes
// arrays and regular expressions several times slower, stay as they are, and
// changed() finds a rule that has changed them: it compares the values, and what
// could leave the values as they are (a getter, a hidden property, a lock, another
// prototype) goes through functions that tell on it. What is missed, such as a
// deleted getter of RegExp.prototype or a getter put there by way of a proxy,
// reaches the rule's own later files, nobody else's.
//
// V8 keeps its fast paths for arrays only as long as nobody has so much as
// redefined Array.prototype.constructor or the next() of array iterators, with
// Array.prototype and Object.prototype extensible.
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
  const { ownKeys, defineProperty, apply } = Reflect;
  const objects = Object.prototype, arrays = Array.prototype, regexps = RegExp.prototype;

  let told = false;
  const guarded = new Set();
  function tell(owner, ...names) {
    for (const name of names) {
      const f = owner[name];
      const telling = { [name](...args) {
        const o = owner === objects ? this : args[0];
        if (guarded.has(o)) told = true;
        return apply(f, this, args);
      } }[name];
      defineProperty(telling, "length", { value: f.length });
      owner[name] = telling;
    }
  }
  tell(Object, "defineProperty", "defineProperties", "freeze", "seal", "preventExtensions", "setPrototypeOf");
  tell(Reflect, "defineProperty", "preventExtensions", "setPrototypeOf");
  tell(objects, "__defineGetter__", "__defineSetter__");
  const { set: inherit } = getOwnPropertyDescriptor(objects, "__proto__");
  const telling = { set __proto__(prototype) {
    if (guarded.has(this)) told = true;
    apply(inherit, this, [prototype]);
  } };
  defineProperty(objects, "__proto__", { set: getOwnPropertyDescriptor(telling, "__proto__").set });
  const { watched, same } = watch();

  for (const key of [
    "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "input", "$_", "lastMatch", "$&",
    "lastParen", "$+", "leftContext", "$`", "rightContext", "$'",
  ]) delete RegExp[key];

  for (const [o, keys] of watched) {
    guarded.add(o);
    if (o === regexps || o === arrays) continue;
    for (const key of ownKeys(o)) {
      if (keys.includes(key)) continue;
      const d = getOwnPropertyDescriptor(o, key);
      defineProperty(o, key, "value" in d ? { writable: false, configurable: false } : { configurable: false });
    }
    if (o !== objects) preventExtensions(o);
  }

  // Whatever else can be reached from the global object, or from syntax.
  // Nobody gets at typed arrays, and ours are slow with a frozen prototype.
  const seen = new Set([globalThis, Uint32Array.prototype, getPrototypeOf(Uint32Array.prototype)]);
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
  return () => {
    for (const _ in regexps) return true; // an added property
    for (const _ in arrays) return true;
    return told || !same();
  };
})();
