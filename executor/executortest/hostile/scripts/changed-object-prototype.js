// Puts a getter that loops on the prototype of all objects.
// In process: ok
function visit() { Object.defineProperty(Object.prototype, "then", { get() { for (;;); } }); }
