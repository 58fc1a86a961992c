package flags

import "os"

// A Config says where the flag's settings come from. The zero value is the
// default, legacy. Texts that are empty are not set.
type Config struct {
	// Option is a setting given in code or on the command line.
	Option string
	// Environment is the value of the variable Env.
	Environment string
	// Kill is the value of the variable KillEnv: 1, true, yes or on force
	// legacy, whatever else is set and however wrong it is; 0, false, no and
	// off do nothing. So that a slip of the pen in an emergency does no harm,
	// any other value leads to legacy too, with reason ERROR.
	Kill string
	// File names a YAML file with any of these keys, and at least one:
	//
	//	runtime: 25%
	//	kill: false
	//	shadow-sample: 0.1
	//
	// It has to be there and right when the evaluator is made. After that it
	// is watched, whatever decides. A file that is removed or wrong leaves its
	// last good content in force, with one exception: a kill in it that is on,
	// or cannot be read, is on, until the file is right and says otherwise.
	File string
	// ShadowSample is the value of the variable ShadowSampleEnv, from 0 to 1.
	// It goes before the file's; DefaultShadowSample is used where neither is
	// set.
	ShadowSample string
	// Provider, if there is one, decides where nothing stronger is set.
	Provider Provider
	// OnChange, if there is one, is told each change of the evaluator's status
	// after New: the file has new content, or can no longer be used, or can be
	// used again. It is called on the goroutine that watches the file, which
	// waits for it, one call at a time. It must not call Close.
	OnChange func(Status)
}

// DefaultShadowSample is the share of files that are compared if nothing else
// is said.
const DefaultShadowSample = 0.1

// FromEnvironment returns the configuration that the environment gives.
func FromEnvironment() Config {
	return Config{
		Environment:  os.Getenv(Env),
		Kill:         os.Getenv(KillEnv),
		File:         os.Getenv(FileEnv),
		ShadowSample: os.Getenv(ShadowSampleEnv),
	}
}

// A Provider is a source outside of this process or program, such as one of
// OpenFeature (package flags/openfeature).
type Provider interface {
	// Resolve returns what the provider has for the key. It is called by each
	// Evaluate that reaches the provider, from any goroutine, and Evaluate
	// waits for it: it must not block.
	Resolve(targetingKey string) Resolution
}

// A Resolution is a provider's answer.
type Resolution struct {
	// Value is a setting as ParseSetting reads it; empty means that the
	// provider has none.
	Value string
	// Reason is why. Reasons that this package does not know become UNKNOWN.
	// That of a share becomes SPLIT.
	Reason Reason
	// ErrorCode and Err say what went wrong. Value does not count then.
	ErrorCode ErrorCode
	Err       error
}
