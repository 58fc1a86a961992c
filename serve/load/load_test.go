package load

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/ddsabench/ddsabench/executor"
)

// budget is how long the load lasts, in all.
func budget(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("LOADTIME")
	if text == "" {
		t.Skip("runs for LOADTIME: make load LOADTIME=1m")
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 20*time.Second || d > time.Hour {
		t.Fatalf("LOADTIME=%s: want a time from 20s to 1h", text)
	}
	return d
}

// TestLoad is the whole of it. Wrong and failed answers fail it; the figures
// that depend on the machine are printed, with what they ought to be.
func TestLoad(t *testing.T) {
	total := budget(t)
	s := startServer(t)
	all := calls(t)
	s.learn(all)
	s.sound("warm-up", s.attack(all, nil, 4, total/20), false)
	capacity := s.attack(all, nil, 4, total/20)
	s.sound("capacity", capacity, false)
	t.Logf("capacity %.0f requests/s with 4 clients, p99 %v", capacity.rate, capacity.p99)

	s.ladder(all, capacity.rate, total*45/100)
	s.shadowPairs(all, capacity.rate, total*25/100)
	s.overload(all, capacity.rate, total/10)
	s.hostile(all, capacity.rate, total/10)
}

// sound fails the test if an answer was wrong or a request failed.
func (s *server) sound(what string, a tally, refusals bool) {
	s.t.Helper()
	if a.wrong > 0 || a.failed > 0 || a.right == 0 || a.refused > 0 && !refusals {
		s.t.Errorf("%s: %d right, %d wrong, %d refused, %d failed; first: %.500s",
			what, a.right, a.wrong, a.refused, a.failed, a.first)
	}
}

// at is a share of the capacity as a steady rate.
func at(capacity, share float64) vegeta.Pacer {
	return vegeta.Rate{Freq: max(1, int(capacity*share)), Per: time.Second}
}

// ladder keeps a steady rate while the flag goes up, back, and up again.
func (s *server) ladder(all []call, capacity float64, during time.Duration) {
	steps := []struct{ setting, text, executor string }{
		{"legacy", "runtime: legacy", "legacy"},
		{"shadow", "runtime: shadow", "legacy"},
		{"25%", "runtime: 25%", ""},
		{"live", "runtime: live", "ddsa"},
		{"ddsa", "runtime: ddsa", "ddsa"},
		{"kill", "runtime: ddsa\nkill: true", "legacy"},
		{"ddsa", "runtime: ddsa", "ddsa"},
	}
	each := during / time.Duration(len(steps))
	answers := make(chan tally)
	go func() { answers <- s.attack(all, at(capacity, 0.3), 64, during+each/4) }()
	used := make([]usage, len(steps))
	var killed time.Duration
	for i, step := range steps {
		end := time.After(each)
		took := s.settle(step.text, func(d decision) bool {
			return (step.setting == "kill") == strings.HasPrefix(d.Source, "kill switch") &&
				(step.executor == "" || step.executor == d.Executor) && (step.setting == "kill" || d.Setting == step.setting)
		})
		stop := s.watch()
		if step.setting == "kill" {
			killed = took
			time.Sleep(100 * time.Millisecond) // what ran then is done
			before := s.metric("ddsabench_executions_total", `executor="ddsa"`)
			<-end
			if after := s.metric("ddsabench_executions_total", `executor="ddsa"`); after != before {
				s.t.Errorf("after the kill ddsa executed %.0f more", after-before)
			}
		} else {
			<-end
		}
		used[i] = stop()
		s.t.Logf("ladder, %-6s seen after %4d ms; RSS %4d MiB, %d threads", step.setting, took.Milliseconds(), used[i].rss>>20, used[i].threads)
	}
	a := <-answers
	s.sound("ladder", a, false)
	s.t.Logf("ladder: %d requests at %.0f/s, %d right, %d wrong, %d refused, %d failed; p50 %v, p99 %v",
		a.requests, a.rate, a.right, a.wrong, a.refused, a.failed, a.p50, a.p99)
	first, last := used[len(steps)-3], used[len(steps)-1]
	s.t.Logf("ladder: from ddsa to ddsa again: RSS %+.1f %% (ought to be below 10), threads %+d (ought to be 0)",
		100*(float64(last.rss)/float64(first.rss)-1), last.threads-first.threads)
	s.t.Logf("ladder: %.0f mismatches", s.metric("ddsabench_shadow_mismatches_total"))
	if killed > time.Second {
		s.t.Errorf("the kill took %v", killed)
	}
}

// shadowPairs compares the latency with and without a shadow, in turns.
func (s *server) shadowPairs(all []call, capacity float64, during time.Duration) {
	const pairs = 5
	each := during / (2 * pairs)
	var ratios []float64
	for i := range pairs {
		p99 := map[string]time.Duration{}
		order := []string{"legacy", "shadow"}
		if i%2 == 1 {
			order[0], order[1] = order[1], order[0]
		}
		for _, setting := range order {
			s.settle("runtime: "+setting+"\nshadow-sample: 0.1", func(d decision) bool { return d.Setting == setting })
			a := s.attack(all, at(capacity, 0.25), 64, each)
			s.sound(setting, a, false)
			p99[setting] = a.p99
		}
		ratios = append(ratios, float64(p99["shadow"])/float64(p99["legacy"]))
		s.t.Logf("shadow, pair %d: p99 %v without, %v with", i+1, p99["legacy"], p99["shadow"])
	}
	s.t.Logf("shadow: median change of p99 %+.1f %% (ought to be below 20)", 100*(median(ratios)-1))
}

// overload sends twice what the server can do, and looks whether it recovers.
func (s *server) overload(all []call, capacity float64, during time.Duration) {
	s.settle("runtime: ddsa", func(d decision) bool { return d.Executor == "ddsa" })
	now := s.attack(all, nil, 8, during/4) // the machine may be quieter than it was
	s.sound("capacity", now, false)
	capacity = max(capacity, now.rate)
	a := s.attack(all, at(capacity, 2), 400, during)
	s.sound("overload", a, true)
	s.t.Logf("overload: %d requests at 2 x %.0f/s, %d right, %d refused; p99 of the answers %v", a.requests, capacity, a.right, a.refused, a.p99)
	if a.refused == 0 {
		s.t.Error("overload: nothing was refused")
	}
	a = s.attack(all, at(capacity, 0.1), 64, during/4)
	s.sound("after the overload", a, false)
	s.t.Logf("after the overload: %d requests, all right; p99 %v", a.requests, a.p99)
}

// hostile mixes rules in that loop, eat memory and take V8 down.
func (s *server) hostile(all []call, capacity float64, during time.Duration) {
	var bad []call
	for i, code := range []string{
		"'ab'.repeat(2 ** 27).split('a')",
		"for (;;) {}",
		"/^(a+)+$/.test('a'.repeat(40) + 'b')",
		"const a = []; for (;;) a.push(new Array(1000).fill(1.5))",
		"'ab'.repeat(2 ** 24).replace(/a/g, 'bbbbbbbbbbb')",
		"Array.prototype.map = null; throw 1",
	} {
		rule := &executor.Rule{
			Name: fmt.Sprint("hostile/", i), Language: executor.JavaScript, Query: "(program) @p", Severity: "ERROR",
			Category: "SECURITY", Code: "function visit() { " + code + " }",
		}
		bad = append(bad, call{body: request(s.t, "bad.js", executor.JavaScript, "1", []*executor.Rule{rule})})
	}
	var wait sync.WaitGroup
	end := time.Now().Add(during)
	sent, answered := 0, 0
	wait.Go(func() { // one at a time: the others need a worker, too
		for i := 0; time.Now().Before(end); i++ {
			sent++
			answer, err := http.Post(s.url+"/analyze", "application/json", strings.NewReader(string(bad[i%len(bad)].body)))
			if err == nil {
				answered++
				answer.Body.Close()
			}
		}
	})
	a := s.attack(all, at(capacity, 0.1), 400, during)
	wait.Wait()
	s.sound("beside hostile rules", a, false)
	s.t.Logf("hostile: %d hostile requests, %d answered; %d others, %d right, %d refused; p50 %v, p99 %v; crashed %.0f, hung %.0f, timeouts %.0f, memory %.0f",
		sent, answered, a.requests, a.right, a.refused, a.p50, a.p99,
		s.metric("ddsabench_executions_total", `outcome="crashed"`), s.metric("ddsabench_executions_total", `outcome="hung"`),
		s.metric("ddsabench_executions_total", `outcome="timeout"`), s.metric("ddsabench_executions_total", `outcome="memory"`))
	if sent != answered {
		s.t.Errorf("hostile: %d of %d got no answer", sent-answered, sent)
	}
	if n := s.metric("ddsabench_panics_total"); n > 0 {
		s.t.Errorf("%.0f panics", n)
	}
}
