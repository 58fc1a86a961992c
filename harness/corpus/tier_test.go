package corpus

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTarballName(t *testing.T) {
	for spec, want := range map[string]string{
		"rxjs@7.8.2":                    "rxjs-7.8.2.tgz",
		"@babylonjs/core@9.35.0":        "babylonjs-core-9.35.0.tgz",
		"@datadog/datadog-api@1.0.0-b1": "datadog-datadog-api-1.0.0-b1.tgz",
	} {
		if got := tarballName(spec); got != want {
			t.Errorf("tarballName(%q) = %q, want %q", spec, got, want)
		}
	}
}

func TestTiers(t *testing.T) {
	if diff := cmp.Diff([]string{"small", "medium", "full"}, Tiers()); diff != "" {
		t.Error(diff)
	}
	for i, n := range []int{2, 6, 24} {
		tier := tiers[i]
		if len(tier.packages) != n {
			t.Errorf("%s has %d packages, want %d", tier.name, len(tier.packages), n)
		}
		for _, p := range tier.packages {
			if len(p.sha256) != 64 {
				t.Errorf("%s: sum %q", p.spec, p.sha256)
			}
		}
		if len(tier.digest) != 64 {
			t.Errorf("%s: digest %q", tier.name, tier.digest)
		}
	}
}

func TestUnknownTier(t *testing.T) {
	dir := t.TempDir()
	_, errVerify := Verify(t.Context(), dir, "smal")
	for _, err := range []error{errVerify, Fetch(t.Context(), dir, "../small", nil)} {
		if !errors.Is(err, ErrUnknownTier) || !strings.Contains(err.Error(), "small, medium, full") {
			t.Errorf("got %v", err)
		}
	}
}

func TestListEmptyCache(t *testing.T) {
	list := List(t.TempDir())
	if len(list) != 3 || list[0].Tier != "small" || list[0].Fetched || list[0].Packages[0] != "rxjs@7.8.2" {
		t.Errorf("got %+v", list)
	}
}
