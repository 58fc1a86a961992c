// Iterates over a map and adds a key for each one that it removes.
// In process: timeout
function visit() {
  const m = new Map([[0, 0]]);
  for (const [k] of m) { m.delete(k); m.set(k + 1, 0); }
}
