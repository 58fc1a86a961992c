package corpus

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/ddsabench/ddsabench/executor"
)

var (
	//go:embed packages.txt
	packagesTxt string
	//go:embed tarballs.sha256
	tarballsTxt string
)

// A tier is a fixed selection of files from fixed packages.
type tier struct {
	name     string
	packages []npmPackage
	limits   map[executor.Language]int
	digest   string // what the selection must come to
	download string // how much is fetched, for people
}

// An npmPackage is one package at one version.
type npmPackage struct {
	spec    string // NAME@VERSION, as npm takes it
	tarball string // the file that npm pack makes of it
	sha256  string // the tarball's checksum, hex
}

// prefix is what the paths of the package's files start with.
func (p npmPackage) prefix() string { return strings.TrimSuffix(p.tarball, ".tgz") }

var (
	smallPackages  = []string{"rxjs", "react-native-paper"}
	mediumPackages = append([]string{"zod", "viem", "ox", "effect"}, smallPackages...)
)

// tiers are listed from small to large.
var tiers = makeTiers(parsePackages(packagesTxt, tarballsTxt))

func makeTiers(all []npmPackage) []tier {
	return []tier{
		{
			name:     "small",
			packages: pick(all, smallPackages),
			digest:   "0de2bf5350402e524262215f6d2a4d68bec4b29f49cc8c5c5a0bb82488cfb043",
			download: "1.4 MB",
		},
		{
			name:     "medium",
			packages: pick(all, mediumPackages),
			limits:   map[executor.Language]int{executor.JavaScript: 2075},
			digest:   "8e2544df5b56674da2521aaf72fbfba73db3e499b0798d0a81e6bad9d1e2de2e",
			download: "21 MB",
		},
		{
			name:     "full",
			packages: all,
			limits:   map[executor.Language]int{executor.JavaScript: 2075, executor.TypeScript: 66_178},
			digest:   "7663828cdb8a7935604f50461bdfbfd6f1173a61aeb96b5a59e422567ce69e25",
			download: "109 MB",
		},
	}
}

// Tiers returns the tiers' names, from small to large.
func Tiers() []string {
	names := make([]string, len(tiers))
	for i, t := range tiers {
		names[i] = t.name
	}
	return names
}

func tierByName(name string) (tier, error) {
	for _, t := range tiers {
		if t.name == name {
			return t, nil
		}
	}
	return tier{}, fmt.Errorf("corpus: %w %q; there are %s", ErrUnknownTier, name, strings.Join(Tiers(), ", "))
}

// parsePackages joins the embedded lists: packages, one NAME@VERSION a line, and
// checksums in the format of sha256sum. A fault in them is a fault of the
// program.
func parsePackages(packages, sums string) []npmPackage {
	byFile := map[string]string{}
	for line := range strings.Lines(sums) {
		sum, file, _ := strings.Cut(strings.TrimSpace(line), "  ")
		byFile[file] = sum
	}
	var all []npmPackage
	for _, spec := range strings.Fields(packages) {
		p := npmPackage{spec: spec, tarball: tarballName(spec)}
		p.sha256 = byFile[p.tarball]
		if p.sha256 == "" {
			panic("corpus: no checksum for " + p.tarball)
		}
		all = append(all, p)
	}
	return all
}

// tarballName is the name that npm gives a package's tarball.
func tarballName(spec string) string {
	at := strings.LastIndex(spec, "@")
	name := strings.ReplaceAll(strings.TrimPrefix(spec[:at], "@"), "/", "-")
	return name + "-" + spec[at+1:] + ".tgz"
}

func pick(all []npmPackage, names []string) []npmPackage {
	var picked []npmPackage
	for _, name := range names {
		for _, p := range all {
			if strings.HasPrefix(p.spec, name+"@") {
				picked = append(picked, p)
			}
		}
	}
	return picked
}
