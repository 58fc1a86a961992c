// Matches a regular expression that backtracks for years.
// In process: timeout
function visit() { /^(a+)+$/.test("a".repeat(40) + "b"); }
