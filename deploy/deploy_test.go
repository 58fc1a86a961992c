// Package deploy_test holds the files for clusters to the API's own types.
package deploy_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/worker"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/serve"
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
	// There are as many workers as processors, each with one process.
	confined(t, p, uint64(p.Containers[0].Resources.Limits.Cpu().Value()))
	for _, m := range p.Containers[0].VolumeMounts {
		if m.Name == "corpus" && !m.ReadOnly {
			t.Error("the job can write to the corpus")
		}
	}
}

// confined checks a pod that has so many worker processes.
func confined(t *testing.T, p core.PodSpec, processes uint64) {
	t.Helper()
	if p.AutomountServiceAccountToken == nil || *p.AutomountServiceAccountToken || p.HostNetwork || p.HostPID || p.HostIPC {
		t.Error("the pod has a token or a part of its host")
	}
	if s := p.SecurityContext; s == nil || !*s.RunAsNonRoot || *s.RunAsUser == 0 || s.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
		t.Errorf("pod's security context %+v", p.SecurityContext)
	}
	if len(p.Containers) != 1 {
		t.Fatalf("%d containers", len(p.Containers))
	}
	c := p.Containers[0]
	s := c.SecurityContext
	if s == nil || *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem || len(s.Capabilities.Drop) != 1 || s.Capabilities.Drop[0] != "ALL" || s.Capabilities.Add != nil {
		t.Errorf("security context %+v", s)
	}
	if c.Resources.Limits.Memory().IsZero() || c.Resources.Limits.Cpu().IsZero() {
		t.Error("no limits")
	}
	// What a rule may fill is ended by its worker's ceiling, not with the pod.
	if least := processes * worker.DefaultOptions("ddsa", executor.DefaultLimits()).Ceiling; uint64(c.Resources.Limits.Memory().Value()) <= least {
		t.Errorf("%d workers may use %d MiB, the limit is %v", processes, least>>20, c.Resources.Limits.Memory())
	}
}

// server is what serve.yaml holds, in its order.
func server(t *testing.T) (flag core.ConfigMap, d apps.Deployment, s core.Service) {
	t.Helper()
	text, err := os.ReadFile("kubernetes/serve.yaml")
	if err != nil {
		t.Fatal(err)
	}
	documents := strings.Split(string(text), "\n---\n")
	objects := []any{&flag, &d, &s}
	if len(documents) != len(objects) {
		t.Fatalf("%d documents", len(documents))
	}
	for i, o := range objects {
		if err := yaml.UnmarshalStrict([]byte(documents[i]), o); err != nil {
			t.Fatalf("not a %T, to the letter: %v", o, err)
		}
	}
	return flag, d, s
}

// option is the value of an argument --name=value.
func option(t *testing.T, c core.Container, name string) string {
	t.Helper()
	for _, a := range c.Args {
		if value, ok := strings.CutPrefix(a, "--"+name+"="); ok {
			return value
		}
	}
	t.Fatalf("no --%s in %q", name, c.Args)
	return ""
}

func TestServerIsConfined(t *testing.T) {
	_, d, _ := server(t)
	p := d.Spec.Template.Spec
	workers, err := strconv.ParseUint(option(t, p.Containers[0], "workers"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	confined(t, p, 2*workers+2) // two executors for each worker, and in the shadow
}

// The objects find one another, and the probes their paths.
func TestServerIsReached(t *testing.T) {
	flag, d, s := server(t)
	for got, want := range map[string]string{
		flag.APIVersion + " " + flag.Kind: "v1 ConfigMap",
		d.APIVersion + " " + d.Kind:       "apps/v1 Deployment",
		s.APIVersion + " " + s.Kind:       "v1 Service",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	labels, c := d.Spec.Template.Labels, d.Spec.Template.Spec.Containers[0]
	if !maps.Equal(d.Spec.Selector.MatchLabels, labels) || !maps.Equal(s.Spec.Selector, labels) {
		t.Errorf("pods %v, selected by %v and %v", labels, d.Spec.Selector.MatchLabels, s.Spec.Selector)
	}
	port := c.Ports[0].Name
	if s.Spec.Ports[0].TargetPort.String() != port || !strings.HasSuffix(option(t, c, "listen"), fmt.Sprintf(":%d", c.Ports[0].ContainerPort)) {
		t.Errorf("ports %v and %v", s.Spec.Ports, c.Ports)
	}
	if !slices.Contains(c.Args, "--allow-remote") {
		t.Error("probes name the pod's address as Host, and would be refused")
	}
	for path, probe := range map[string]*core.Probe{"/readyz": c.ReadinessProbe, "/healthz": c.LivenessProbe} {
		if g := probe.HTTPGet; g.Path != path || g.Port.String() != port {
			t.Errorf("probe %v, want %s", g, path)
		}
	}
}

// The command knows the arguments: --help is printed only if the others are right.
func TestServerArguments(t *testing.T) {
	_, d, _ := server(t)
	args := append([]string{"run", "../cmd/ddsabench"}, d.Spec.Template.Spec.Containers[0].Args...)
	if out, err := exec.CommandContext(t.Context(), "go", append(args, "--help")...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// A pod that is told to end has the time to answer what it took.
func TestServerDrains(t *testing.T) {
	_, d, _ := server(t)
	p := d.Spec.Template.Spec
	var drain time.Duration
	for _, name := range []string{"drain-delay", "drain-timeout"} {
		took, err := time.ParseDuration(option(t, p.Containers[0], name))
		if err != nil {
			t.Fatal(err)
		}
		drain += took
	}
	if least := serve.DefaultConfig(); drain < least.DrainDelay+least.DrainTimeout {
		t.Errorf("draining may take %v only, less than by default", drain)
	}
	if grace := time.Duration(*p.TerminationGracePeriodSeconds) * time.Second; grace <= drain {
		t.Errorf("killed after %v, draining may take %v", grace, drain)
	}
}

// The file is right, is where the server looks, is refreshed, and decides.
func TestServerFlag(t *testing.T) {
	flag, d, _ := server(t)
	p := d.Spec.Template.Spec
	c := p.Containers[0]
	if len(c.Env) != 1 || c.Env[0].Name != flags.FileEnv || len(c.EnvFrom) != 0 {
		t.Fatalf("environment %v", c.Env)
	}
	m, v := c.VolumeMounts[0], p.Volumes[0]
	if m.SubPath != "" || m.SubPathExpr != "" {
		t.Error("a subPath is never refreshed")
	}
	folder, name := filepath.Split(c.Env[0].Value)
	if filepath.Clean(folder) != m.MountPath || m.Name != v.Name || v.ConfigMap == nil || v.ConfigMap.Name != flag.Name {
		t.Errorf("%s is not in %v of %v", c.Env[0].Value, m, v)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(flag.Data[name]), 0o600); err != nil {
		t.Fatal(err)
	}
	evaluator := flags.New(flags.Config{File: file})
	defer evaluator.Close()
	if got := evaluator.Evaluate("any"); got.Err != nil || got.Value != flags.Legacy || got.Source != flags.SourceFile || got.ShadowSample != 0.1 {
		t.Errorf("%+v", got)
	}
}
