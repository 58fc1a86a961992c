// Joins 50,000 texts to one rope, then flattens it.
// In process: ok
function visit() { let s = ""; for (let i = 0; i < 5e4; i++) s = "xy" + s + "z"; s.charCodeAt(5); }
