// Package deploy_test holds the files for clusters to the API's own types.
package deploy_test

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/worker"
)

func job(t *testing.T) *batch.Job {
	t.Helper()
	text, err := os.ReadFile("kubernetes/job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var j batch.Job
	if err := yaml.UnmarshalStrict(text, &j); err != nil {
		t.Fatalf("not a batch/v1 Job, to the letter: %v", err)
	}
	return &j
}

// shards is what the job's script takes for the number of shards. Without the
// variable each pod would be given shard I of nothing.
func shards(t *testing.T, c core.Container) string {
	t.Helper()
	i := slices.IndexFunc(c.Env, func(e core.EnvVar) bool { return e.Name == "SHARDS" })
	if i < 0 {
		t.Fatal("SHARDS is not set")
	}
	return c.Env[i].Value
}

func TestJobIsIndexed(t *testing.T) {
	j := job(t)
	if j.APIVersion != "batch/v1" || j.Kind != "Job" {
		t.Errorf("%s %s", j.APIVersion, j.Kind)
	}
	if j.Spec.CompletionMode == nil || *j.Spec.CompletionMode != batch.IndexedCompletion {
		t.Errorf("completion mode %v", j.Spec.CompletionMode)
	}
	if n := shards(t, j.Spec.Template.Spec.Containers[0]); n != strconv.Itoa(int(*j.Spec.Completions)) {
		t.Errorf("%s shards for %d completions", n, *j.Spec.Completions)
	}
}

// The index becomes the shard: of 8, 0 is 1/8 and 7 is 8/8.
func TestIndexIsShard(t *testing.T) {
	c := job(t).Spec.Template.Spec.Containers[0]
	if strings.Join(c.Command, " ") != "/bin/sh -ec" || len(c.Args) != 1 {
		t.Fatalf("command %q, arguments %q", c.Command, c.Args)
	}
	n := shards(t, c)
	for index, want := range map[string]string{
		"0": "analyze /corpus --format json --shard 1/" + n + " --out /reports/1.json",
		"7": "analyze /corpus --format json --shard 8/" + n + " --out /reports/8.json",
	} {
		script := strings.Replace(c.Args[0], "exec ddsabench", "echo", 1)
		shell := exec.CommandContext(t.Context(), "/bin/sh", "-ec", script)
		shell.Env = []string{"JOB_COMPLETION_INDEX=" + index, "SHARDS=" + n}
		got, err := shell.CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("index %s runs %q (%v), want %q", index, got, err, want)
		}
	}
}

// Rules and files are untrusted: the pod has nothing that it does not need.
func TestJobIsConfined(t *testing.T) {
	p := job(t).Spec.Template.Spec
	if p.AutomountServiceAccountToken == nil || *p.AutomountServiceAccountToken || p.HostNetwork || p.HostPID || p.HostIPC {
		t.Error("the pod has a token or a part of its host")
	}
	if s := p.SecurityContext; s == nil || !*s.RunAsNonRoot || *s.RunAsUser == 0 || s.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
		t.Errorf("pod's security context %+v", p.SecurityContext)
	}
	for _, c := range p.Containers {
		s := c.SecurityContext
		if s == nil || *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem || len(s.Capabilities.Drop) != 1 || s.Capabilities.Drop[0] != "ALL" || s.Capabilities.Add != nil {
			t.Errorf("%s: security context %+v", c.Name, s)
		}
		if c.Resources.Limits.Memory().IsZero() || c.Resources.Limits.Cpu().IsZero() {
			t.Errorf("%s: no limits", c.Name)
		}
		// What a rule may fill is ended by its worker's ceiling, not with the pod.
		workers := uint64(c.Resources.Limits.Cpu().Value())
		if least := workers * worker.DefaultOptions("ddsa", executor.DefaultLimits()).Ceiling; uint64(c.Resources.Limits.Memory().Value()) <= least {
			t.Errorf("%s: %d workers may use %d MiB, the limit is %v", c.Name, workers, least>>20, c.Resources.Limits.Memory())
		}
		for _, m := range c.VolumeMounts {
			if m.Name == "corpus" && !m.ReadOnly {
				t.Errorf("%s can write to the corpus", c.Name)
			}
		}
	}
}
