// Compares long texts by the rules of a language.
// In process: memory or not stopped
function visit() { const s = "äö".repeat(2 ** 24); s.localeCompare(s + "x"); }
