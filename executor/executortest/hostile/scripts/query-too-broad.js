// Has a query with more matches than anybody can wait for.
// In process: timeout
// Query: (program (_) @a (_) @b (_) @c (_) @d)
function visit() {}
