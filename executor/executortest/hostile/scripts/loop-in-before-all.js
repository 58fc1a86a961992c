// Loops in the callback before the first match.
// In process: timeout
function beforeAll() { while (true); }
function visit() {}
