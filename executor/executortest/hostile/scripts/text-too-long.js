// Makes a text longer than V8's longest.
// In process: script error
function visit() { "x".repeat(2 ** 29); }
