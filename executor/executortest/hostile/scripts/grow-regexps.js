// Compiles and keeps different regular expressions.
// In process: memory or timeout
function visit() { const a = []; for (let i = 0; ; i++) { const r = new RegExp("(a|b" + i + ")*c"); r.test("abc"); a.push(r); } }
