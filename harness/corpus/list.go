package corpus

import "github.com/ddsabench/ddsabench/executor"

// A Status describes a tier and whether the cache has it.
type Status struct {
	Tier string
	// Packages are the npm packages as NAME@VERSION.
	Packages []string
	// Download says how much Fetch downloads into an empty cache.
	Download string
	// Digest is what the tier's selection comes to on every machine.
	Digest string
	// Fetched says that the tier can be opened. The figures below are 0 if not.
	Fetched                bool
	JavaScript, TypeScript int   // files
	Bytes                  int64 // of all files
}

// List describes all tiers, from small to large. It changes nothing.
func List(cacheDir string) []Status {
	var all []Status
	for _, t := range tiers {
		s := Status{Tier: t.name, Download: t.download, Digest: t.digest}
		for _, p := range t.packages {
			s.Packages = append(s.Packages, p.spec)
		}
		if c, err := openTier(cacheDir, t); err == nil {
			s.Fetched = true
			s.JavaScript, s.TypeScript = c.Count(executor.JavaScript), c.Count(executor.TypeScript)
			s.Bytes = c.Bytes()
			c.Close()
		}
		all = append(all, s)
	}
	return all
}
