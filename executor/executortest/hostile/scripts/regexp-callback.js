// Loops in replace's callback.
// In process: timeout
function visit() { "a".replace(/a/, () => { for (;;); }); }
