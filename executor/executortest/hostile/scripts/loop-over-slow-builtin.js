// Loops over a slow built-in function: V8 looks whether to stop only now and then.
// In process: timeout or not stopped
function visit() { for (;;) new Array(1e5); }
