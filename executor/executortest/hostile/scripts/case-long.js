// Changes the case of a text: the result is longer than the heap.
// In process: aborts or not stopped
function visit() { "ßä".repeat(2 ** 26).toUpperCase(); }
