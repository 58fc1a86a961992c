package flags

import "fmt"

// The flag's key, which is also its name on the command line, and the
// environment variable that sets it.
const (
	Key = "ddsa-runtime"
	Env = "DDSA_RUNTIME"
)

// A Runtime is a value of the flag: the name of an executor.
type Runtime string

// The flag's values.
const (
	Legacy Runtime = "legacy" // a watchdog thread per execution; the default
	DDSA   Runtime = "ddsa"   // a watchdog thread per JavaScript runtime
)

// ParseRuntime returns the runtime that value names. Names are taken as they
// are spelled: no other case, no spaces.
func ParseRuntime(value string) (Runtime, error) {
	switch r := Runtime(value); r {
	case Legacy, DDSA:
		return r, nil
	}
	// The value may come from anywhere and be of any length.
	return "", fmt.Errorf("unknown runtime %.40q; use %s or %s", value, Legacy, DDSA)
}
