// Throws a proxy that throws whatever is done to it.
// In process: script error
function visit() {
  const no = () => { throw thing; };
  const thing = new Proxy({}, { get: no, has: no, getPrototypeOf: no, getOwnPropertyDescriptor: no, ownKeys: no });
  throw thing;
}
