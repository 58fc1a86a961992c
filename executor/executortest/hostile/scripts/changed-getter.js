// Hides a changed method behind a getter that loops when somebody looks.
// In process: timeout
function visit() { Object.defineProperty(new Proxy(Array.prototype, {}), "map", { get() { for (;;); } }); }
