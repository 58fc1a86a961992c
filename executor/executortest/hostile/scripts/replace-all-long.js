// The same with replaceAll and a text.
// In process: not stopped or aborts
function visit() { "ab".repeat(2 ** 24).replaceAll("a", "bbbbbbbbbbb"); }
