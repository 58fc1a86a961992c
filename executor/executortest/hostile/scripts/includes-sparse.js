// Looks for something in an object that says it has 2 to the power of 40 elements.
// In process: not stopped
function visit() { Array.prototype.includes.call({ length: 2 ** 40 }, 1); }
