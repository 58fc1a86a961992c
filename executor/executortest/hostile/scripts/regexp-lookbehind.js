// Backtracks behind the match.
// In process: timeout
function visit() { /(?<=b(a+)+)c/.test("a".repeat(40) + "c"); }
