// A proxy that is its own prototype's handler: V8 recurses without script.
// In process: script error
function visit() {
  const p = new Proxy({}, {});
  Object.setPrototypeOf(p, p);
  p.missing;
}
