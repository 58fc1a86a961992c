// Loops before visit is even declared.
// In process: timeout
for (;;);
function visit() {}
