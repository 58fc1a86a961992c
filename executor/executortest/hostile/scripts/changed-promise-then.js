// Replaces then, so that awaiting calls the rule's own code.
// In process: timeout
function visit() {
  Object.getPrototypeOf((async () => {})()).then = () => { for (;;); };
  (async () => { await { then(f) { f((async () => {})()); } }; })();
}
