// The same with indexOf.
// In process: not stopped
function visit() { Array.prototype.indexOf.call({ length: 2 ** 40 }, 1); }
