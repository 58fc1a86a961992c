// Throws an object whose toString loops.
// In process: timeout
function visit() { throw { toString() { for (;;); } }; }
