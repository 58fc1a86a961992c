package load

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/rules"
)

// A call is a request with the answer that it has to get.
type call struct{ body, want []byte }

var took = regexp.MustCompile(`"execution_time_ms":\d+`)

func plain(answer []byte) []byte { return took.ReplaceAll(answer, []byte(`"execution_time_ms":0`)) }

func encode(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func request(t *testing.T, path string, language executor.Language, text string, list []*executor.Rule) []byte {
	t.Helper()
	type m = map[string]any
	var sent []m
	for _, r := range list {
		code := encode(r.Code)
		sum := sha256.Sum256([]byte(code))
		sent = append(sent, m{
			"id": r.Name, "language": r.Language, "type": "TREE_SITTER_QUERY", "severity": r.Severity, "category": r.Category,
			"code": code, "checksum": hex.EncodeToString(sum[:]), "tree_sitter_query": encode(r.Query),
		})
	}
	body, err := json.Marshal(m{
		"filename": path, "language": language, "file_encoding": "utf-8", "code": encode(text), "rules": sent,
	})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// calls are files of several sizes in both languages, under the built-in rules.
func calls(t *testing.T) []call {
	t.Helper()
	sets, err := rules.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	const js = "var a%[1]d = b == c ? 1 : 2;\nconsole.log(a%[1]d);\nfunction f%[1]d(a, b, c, d) { if (a) {} debugger; }\n"
	const ts = "namespace N%[1]d { export let x: any = 1; }\nconst y%[1]d: Array<number> = [z!];\ninterface I%[1]d {}\n"
	var all []call
	for i := range 24 {
		language, form, path := executor.JavaScript, js, fmt.Sprintf("src/%d.js", i)
		if i%3 == 2 {
			language, form, path = executor.TypeScript, ts, fmt.Sprintf("src/%d.ts", i)
		}
		var text strings.Builder
		for n := range 1 + i*i/4 {
			fmt.Fprintf(&text, form, n)
		}
		all = append(all, call{body: request(t, path, language, text.String(), rules.ByLanguage(sets, language))})
	}
	return all
}

// learn asks for each call's answer, which has to be the same from both
// executors.
func (s *server) learn(calls []call) {
	s.t.Helper()
	for _, setting := range []string{"legacy", "ddsa"} {
		s.settle("runtime: "+setting, func(d decision) bool { return d.Executor == setting })
		for i := range calls {
			answer, err := http.Post(s.url+"/analyze", "application/json", bytes.NewReader(calls[i].body))
			if err != nil {
				s.t.Fatal(err)
			}
			got, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			got = plain(got)
			if err != nil || answer.StatusCode != http.StatusOK || bytes.Contains(got, []byte("error-execution")) {
				s.t.Fatalf("%s, call %d: %v, %d %s", setting, i, err, answer.StatusCode, got)
			}
			if calls[i].want != nil && !bytes.Equal(calls[i].want, got) {
				s.t.Fatalf("call %d: the executors differ:\n%s\n%s", i, calls[i].want, got)
			}
			calls[i].want = got
		}
	}
}

// A tally is what came of an attack.
type tally struct {
	requests, right, wrong int
	refused                int // 429, and 503 for those that waited too long
	failed                 int // anything else
	p50, p99               time.Duration
	first                  string // what the first failure or wrong answer was
	rate                   float64
}

// attack sends calls for a while; pace is nil for as fast as clients, of which
// there are so many, get answers.
func (s *server) attack(calls []call, pace vegeta.Pacer, clients uint64, during time.Duration) tally {
	if pace == nil {
		pace = vegeta.Rate{} // no pause
	}
	attacker := vegeta.NewAttacker(vegeta.Workers(clients), vegeta.MaxWorkers(clients), vegeta.Connections(int(clients)),
		vegeta.MaxConnections(int(clients)), vegeta.Timeout(time.Minute))
	var next atomic.Uint64
	targets := func(target *vegeta.Target) error {
		n := (next.Add(1) - 1) % uint64(len(calls))
		*target = vegeta.Target{
			Method: http.MethodPost, URL: fmt.Sprintf("%s/analyze?%d", s.url, n), Body: calls[n].body,
			Header: http.Header{"Content-Type": {"application/json"}, "X-Targeting-Key": {fmt.Sprint("key", n)}},
		}
		return nil
	}
	var a tally
	var latencies []time.Duration
	start := time.Now()
	for r := range attacker.Attack(targets, pace, during, "") {
		a.requests++
		var n int
		_, _ = fmt.Sscanf(r.URL[strings.IndexByte(r.URL, '?'):], "?%d", &n)
		switch {
		case r.Code == http.StatusOK && bytes.Equal(plain(r.Body), calls[n].want):
			a.right++
			latencies = append(latencies, r.Latency)
			continue
		case r.Code == http.StatusOK:
			a.wrong++
		case r.Code == http.StatusTooManyRequests || r.Code == http.StatusServiceUnavailable:
			a.refused++
			continue
		default:
			a.failed++
		}
		if a.first == "" {
			a.first = fmt.Sprintf("call %d: %d %s %s", n, r.Code, r.Error, r.Body)
		}
	}
	a.rate = float64(a.right) / time.Since(start).Seconds()
	slices.Sort(latencies)
	if n := len(latencies); n > 0 {
		a.p50, a.p99 = latencies[n/2], latencies[min(n-1, n*99/100)]
	}
	return a
}

func median[T cmp.Ordered](list []T) T {
	if len(list) == 0 {
		return *new(T)
	}
	return slices.Sorted(slices.Values(list))[len(list)/2]
}
