// A match is a place in the memory: the number of captures, then a pair of
// capture number and node number for each.
class Match {
  constructor(at) { this[AT] = at; }

  // The last node captured under the name.
  get(capture) {
    const id = this._getId(capture);
    return id === undefined ? undefined : node(id);
  }
  getMany(capture) {
    const ids = this._getManyIds(capture);
    if (ids === undefined) return undefined;
    for (let i = 0; i < ids.length; i++) ids[i] = node(ids[i]); // not by map, which may be the rule's
    return ids;
  }
  _getId(capture) {
    const at = this[AT] >>> 0;
    for (let i = at + 2 * mem[at] - 1; i > at; i -= 2) if (captureNames[mem[i]] === capture) return mem[i + 1];
    return undefined;
  }
  _getManyIds(capture) {
    const at = this[AT] >>> 0;
    let ids;
    for (let i = at + 1; i <= at + 2 * mem[at]; i += 2) {
      if (captureNames[mem[i]] === capture) (ids ??= [])[ids.length] = mem[i + 1];
    }
    return ids;
  }
  get captures() { return byName(this, this.get); }
  get capturesList() { return byName(this, this.getMany); }
  get context() { return context; }
}

function byName(match, get) {
  const at = match[AT] >>> 0;
  const o = create(null);
  for (let i = at + 1; i <= at + 2 * mem[at]; i += 2) {
    const capture = captureNames[mem[i]];
    if (!(capture in o)) o[capture] = get.call(match, capture);
  }
  return o;
}
