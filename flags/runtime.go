package flags

// The flag's key, which is also its name on the command line, and the
// environment variables that set it.
const (
	Key             = "ddsa-runtime"
	Env             = "DDSA_RUNTIME"
	KillEnv         = "DDSA_RUNTIME_KILL"
	FileEnv         = "DDSA_RUNTIME_FILE"
	ShadowSampleEnv = "DDSA_SHADOW_SAMPLE"
)

// A Runtime is the name of an executor.
type Runtime string

// The executors that the flag chooses from.
const (
	Legacy Runtime = "legacy" // a watchdog thread per execution; the default
	DDSA   Runtime = "ddsa"   // a watchdog thread per JavaScript runtime
)

// Other returns the executor that r is compared with.
func (r Runtime) Other() Runtime {
	if r == DDSA {
		return Legacy
	}
	return DDSA
}
