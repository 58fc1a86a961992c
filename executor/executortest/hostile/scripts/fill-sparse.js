// Fills an object that says it has 2 to the power of 53 elements.
// In process: memory or aborts or not stopped
function visit() { Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 0); }
