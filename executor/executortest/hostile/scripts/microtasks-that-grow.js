// Makes two microtasks in each one, so that their queue fills the heap.
// In process: memory or timeout
function visit() {
  const fork = async () => { await 0; fork(); fork(); };
  fork();
}
