// Jumps back to a label for ever.
// In process: timeout
function visit() { again: for (;;) { continue again; } }
