// Loops in a comparison.
// In process: timeout
function visit() { [3, 1, 2].sort(() => { for (;;); }); }
