// Reverses an object that says it has 2 to the power of 50 elements.
// In process: not stopped
function visit() { Array.prototype.reverse.call({ length: 2 ** 50 }); }
