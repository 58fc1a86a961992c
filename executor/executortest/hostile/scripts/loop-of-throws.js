// Throws and catches for ever.
// In process: timeout
function visit() { for (;;) try { throw new Error("again"); } catch {} }
