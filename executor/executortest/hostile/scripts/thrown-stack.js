// Throws an object whose stack is a getter that loops.
// In process: timeout
function visit() { throw { get stack() { for (;;); } }; }
