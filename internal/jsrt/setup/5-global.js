// What a rule finds in its global object, which is frozen.
for (const key of [
  "ArrayBuffer", "Atomics", "BigInt64Array", "BigUint64Array", "DataView", "FinalizationRegistry",
  "Float16Array", "Float32Array", "Float64Array", "Int16Array", "Int32Array", "Int8Array", "Promise",
  "SharedArrayBuffer", "Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray", "WebAssembly",
  "WeakRef", "console", "queueMicrotask",
]) delete globalThis[key];

// Functions are objects, too, and would keep what a rule puts on them.
function lock(o) {
  for (const { value, get, set } of Object.values(Object.getOwnPropertyDescriptors(o))) {
    for (const f of [value, get, set]) {
      if (typeof f !== "function") continue;
      if (f.prototype !== undefined) freeze(f.prototype);
      freeze(f);
    }
  }
  return freeze(o);
}

for (const type of [Node, Match, Violation, Fix, PackageImport]) {
  lock(type.prototype);
  lock(type);
}

const api = {
  buildError, buildEdit, buildEditAdd, buildEditRemove, buildEditUpdate, buildFix, addError, getCode,
  getCodeForNode: (n) => n.text,
};
lock(api);
Object.assign(globalThis, api, {
  Violation, Fix,
  console: lock({ log }),
  ddsa: lock({ getChildren, getParent, findAncestor, findDescendant }),
  __RUST_BRIDGE__context: bridge, STELLA_COMPAT_FILENAME: filenameProxy, STELLA_COMPAT_FILE_CONTENTS: codeProxy,
});
freeze(globalThis);
