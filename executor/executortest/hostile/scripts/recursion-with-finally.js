// Calls itself twice at each depth: 2 to the power of the stack's depth.
// In process: timeout
function visit() { const f = () => { try { f(); } finally { f(); } }; f(); }
