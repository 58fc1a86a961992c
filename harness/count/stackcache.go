package count

import (
	"fmt"
	"os"
	"strings"
)

const (
	tunables      = "GLIBC_TUNABLES="
	stackCacheOff = "glibc.pthread.stack_cache_size=0"
)

// WithoutStackCache returns a copy of the environment in which the C library
// does not keep the stacks of ended threads for later ones, so that every thread
// shows one mapping made and undone, as with other C libraries. The default
// keeps 40 MB. Other tunables stay.
func WithoutStackCache(environ []string) []string {
	setting := stackCacheOff
	var rest []string
	for _, variable := range environ {
		if value, found := strings.CutPrefix(variable, tunables); !found {
			rest = append(rest, variable)
		} else if value != "" {
			setting = value + ":" + stackCacheOff // the last one counts
		}
	}
	return append(rest, tunables+setting)
}

// stackCache reports whether the process was started with the cache on.
func stackCache(pid int) (bool, error) {
	text, err := os.ReadFile(procFile(pid, "environ"))
	if err != nil {
		return false, fmt.Errorf("settings of the C library: %w", err)
	}
	return hasStackCache(strings.Split(string(text), "\x00")), nil
}

func hasStackCache(environ []string) bool {
	on := true
	for _, variable := range environ {
		value, found := strings.CutPrefix(variable, tunables)
		if !found {
			continue
		}
		for setting := range strings.SplitSeq(value, ":") {
			if strings.HasPrefix(setting, "glibc.pthread.stack_cache_size=") {
				on = setting != stackCacheOff
			}
		}
	}
	return on
}
