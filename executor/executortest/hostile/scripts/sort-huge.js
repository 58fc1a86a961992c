// Sorts a million texts again and again.
// In process: timeout
function visit() {
  const a = []; for (let i = 0; i < 1e5; i++) a.push(i * 7919 % 1e5);
  for (;;) a.slice().sort();
}
