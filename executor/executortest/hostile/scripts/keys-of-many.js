// Lists the keys of an object with a million of them, again and again.
// In process: timeout or memory
function visit() { const o = {}; for (let i = 0; i < 3e5; i++) o["k" + i] = 1; for (;;) Object.entries(o); }
