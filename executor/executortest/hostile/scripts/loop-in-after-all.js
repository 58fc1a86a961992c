// Reports something, then loops in the callback after the last match.
// In process: timeout
function visit(match) { addError(buildError(1, 1, 1, 2, "lost")); }
function afterAll() { do {} while (true); }
