// Has a second loop wait behind the first one, in a finally.
// In process: timeout
function visit() { try { for (;;); } finally { for (;;); } }
