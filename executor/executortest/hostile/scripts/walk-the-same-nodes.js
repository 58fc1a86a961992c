// Walks over the same nodes again and again: they take up memory once.
// In process: ok
function visit(match) { for (let i = 0; i < 3000; i++) ddsa.getChildren(match.get("p")); }
