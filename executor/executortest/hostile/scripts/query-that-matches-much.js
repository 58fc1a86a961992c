// Has a query that matches each node of the file, and loops at the last.
// In process: timeout
// Query: (_) @p
let n = 0;
function visit() { n++; }
function afterAll() { while (n > 0); }
