// Splits a text of 1 MB and keeps all the parts.
// In process: memory
function visit() { const kept = []; for (;;) kept.push("ab".repeat(2 ** 19).split("a")); }
