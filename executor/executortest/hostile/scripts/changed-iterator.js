// Has every array iterate for ever.
// In process: ok
function visit() { Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1; }; }
