// The same with concat.
// In process: memory or aborts or not stopped
function visit() { let a = [1, 2]; for (;;) a = a.concat(a); }
