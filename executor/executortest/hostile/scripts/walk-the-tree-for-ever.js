// Walks up and down the syntax tree without end.
// In process: timeout
function visit(match) { for (;;) ddsa.getParent(ddsa.getChildren(match.get("p"))[0]); }
