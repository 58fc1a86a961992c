// Sorts an object that says it has 2 to the power of 53 elements.
// In process: not stopped
function visit() { Array.prototype.sort.call({ length: 2 ** 53 - 1, get 0() { return 1; } }); }
