// Fills a WeakMap with keys that stay.
// In process: memory
function visit() { const m = new WeakMap(), keys = []; for (;;) { const k = {}; keys.push(k); m.set(k, keys); } }
