// What a rule finds in its global object, which is frozen.
for (const key of [
  "ArrayBuffer", "Atomics", "BigInt64Array", "BigUint64Array", "DataView", "FinalizationRegistry",
  "Float16Array", "Float32Array", "Float64Array", "Int16Array", "Int32Array", "Int8Array", "Promise",
  "SharedArrayBuffer", "Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray", "WebAssembly",
  "WeakRef", "console", "queueMicrotask",
]) delete globalThis[key];

for (const type of [Node, Match, Violation, Fix]) {
  freeze(type.prototype);
  freeze(type);
}

Object.assign(globalThis, {
  Violation, Fix, buildError, buildEdit, buildEditAdd, buildEditRemove, buildEditUpdate, addError,
  buildFix: Fix.new,
  getCode: (start, end) => slice(start, end),
  getCodeForNode: (n) => n.text,
  console: freeze({ log }),
  ddsa: freeze({ getChildren, getParent, findAncestor, findDescendant }),
});
for (const key of ["buildError", "buildEdit", "buildEditAdd", "buildEditRemove", "buildEditUpdate", "addError",
  "buildFix", "getCode", "getCodeForNode"]) freeze(globalThis[key]);
for (const key in ddsa) freeze(ddsa[key]);
freeze(console.log);
freeze(globalThis);
