// A match is a place in the memory: the number of captures, then a pair of
// capture number and node number for each.
let context;

function prepare(config) {
  const { captures, arguments: args } = JSON.parse(config);
  captureNames = captures;
  context = freeze({
    get code() { return code(); },
    get filename() { return filename(); },
    arguments: freeze(Object.assign(create(null), args)),
  });
}

class Match {
  constructor(at) { this[AT] = at; }

  // The last node captured under the name.
  get(capture) {
    const id = this._getId(capture);
    return id === undefined ? undefined : node(id);
  }
  getMany(capture) {
    const ids = this._getManyIds(capture);
    return ids === undefined ? undefined : ids.map(node);
  }
  _getId(capture) {
    const at = this[AT];
    for (let i = at + 2 * mem[at] - 1; i > at; i -= 2) if (captureNames[mem[i]] === capture) return mem[i + 1];
    return undefined;
  }
  _getManyIds(capture) {
    const at = this[AT];
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
  const at = match[AT];
  const o = create(null);
  for (let i = at + 1; i <= at + 2 * mem[at]; i += 2) {
    const capture = captureNames[mem[i]];
    if (!(capture in o)) o[capture] = get.call(match, capture);
  }
  return o;
}
