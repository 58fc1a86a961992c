// The same from the end.
// In process: not stopped
function visit() { Array.prototype.lastIndexOf.call({ length: 2 ** 40 }, 1); }
