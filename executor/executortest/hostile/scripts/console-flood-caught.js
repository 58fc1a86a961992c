// The same, and catches the error.
// In process: script error or timeout
function visit() { for (;;) try { console.log("x".repeat(1000)); } catch {} }
