// Replaces each of 16 million letters by a longer text.
// In process: not stopped or aborts
function visit() { "ab".repeat(2 ** 24).replace(/a/g, "bbbbbbbbbbb"); }
