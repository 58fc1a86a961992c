// Formats dates for ever, in code outside of V8.
// In process: timeout
function visit() { for (;;) new Date(0).toLocaleString("de-DE"); }
