// Package openfeature has any OpenFeature provider be a source of the flag: it
// makes a flags.Provider of an OpenFeature client.
//
//	evaluator := flags.New(flags.Config{Provider: openfeature.New(client, openfeature.Options{})})
//
// The flag is a string flag with the key ddsa-runtime, and its values are those
// of DDSA_RUNTIME. The package does not decide when a provider is asked: package
// flags does, where nothing stronger is set.
package openfeature
