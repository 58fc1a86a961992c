// Throws a proxy that was revoked.
// In process: script error
function visit() { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy; }
