// Joins 4 billion holes with nothing between them.
// In process: ok
function visit() { new Array(2 ** 32 - 1).join(""); }
