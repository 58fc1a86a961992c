// Reports half of a surrogate pair, zero bytes and escapes for terminals.
// In process: ok
function visit() { addError(buildError(1, 1, 1, 2, "\ud800\u0000\u001b[2J\u202e\n\r")); }
