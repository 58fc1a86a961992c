// Compiles a regular expression with 100,000 nested groups.
// In process: script error
function visit() { new RegExp("(".repeat(1e5) + ")".repeat(1e5)).test("x"); }
