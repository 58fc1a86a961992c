// Joins an array with 4 billion holes.
// In process: script error
function visit() { new Array(2 ** 32 - 1).join("x"); }
