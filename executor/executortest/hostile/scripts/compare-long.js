// Compares long texts by the rules of a language.
// In process: memory or not stopped
function visit() { const s = "äö".repeat(2 ** 25); s.localeCompare(s + "x"); }
