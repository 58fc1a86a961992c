// Asks for the neighbours of nodes that do not exist.
// In process: ok
function visit(match) {
  const n = match.get("p");
  for (const s of Object.getOwnPropertySymbols(n)) try { n[s] = 1e9; } catch {}
  try { ddsa.getChildren({ __proto__: n, id: -1 }); } catch {}
}
