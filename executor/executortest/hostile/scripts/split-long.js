// Splits 64 MB into letters: V8 wants room for the parts in one jump.
// In process: aborts or not stopped
function visit() { "ab".repeat(2 ** 25).split("a"); }
