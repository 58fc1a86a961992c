// Moves 2 to the power of 50 elements that are not there.
// In process: not stopped
function visit() { Array.prototype.unshift.call({ length: 2 ** 50 }, 1); }
