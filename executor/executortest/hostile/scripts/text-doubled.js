// Doubles a text until V8 refuses.
// In process: script error
function visit() { let s = "x"; for (;;) s += s; }
