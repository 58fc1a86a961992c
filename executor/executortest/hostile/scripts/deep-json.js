// Turns an object nested 100,000 times into JSON.
// In process: script error
function visit() { let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; JSON.stringify(o); }
