// Parses a JSON text with two million objects.
// In process: aborts or not stopped
function visit() { JSON.parse("[" + '{"a":[1]},'.repeat(2e6) + "0]"); }
