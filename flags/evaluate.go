package flags

import "fmt"

// Inputs are what the flag is decided from. The zero value decides for the
// default.
type Inputs struct {
	// Kill forces legacy, whatever else is set and however wrong it is.
	Kill bool
	// Option is the value given in code or on the command line; empty means
	// not given.
	Option string
	// Environment is the value of the variable Env; empty means unset.
	Environment string
}

// Evaluate decides: the kill switch over the option over the environment over
// the default, legacy. A wrong value, even one that would not have decided,
// gives legacy with reason ERROR: a typing mistake is told at once, not on the
// day when the option above it goes.
func Evaluate(in Inputs) Decision {
	if in.Kill {
		return Decision{Value: Legacy, Source: SourceKill, Reason: ReasonDisabled}
	}
	decision := Decision{Value: Legacy, Source: SourceDefault, Reason: ReasonDefault}
	for _, set := range []struct { // the weakest first
		source Source
		value  string
	}{
		{SourceEnvironment, in.Environment},
		{SourceOption, in.Option},
	} {
		if set.value == "" {
			continue
		}
		value, err := ParseRuntime(set.value)
		if err != nil {
			return Decision{
				Value: Legacy, Source: set.source, Reason: ReasonError,
				ErrorCode: ParseError, Err: fmt.Errorf("%s: %w", set.source, err),
			}
		}
		decision = Decision{Value: value, Source: set.source, Reason: ReasonStatic}
	}
	return decision
}
