package serve

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
)

// serving serves as the command does. The function tells the server to end and
// returns what Serve returned.
func serving(t *testing.T, c Config) (s *Server, address string, stop func() error) {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, listener) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-served
	})
	t.Cleanup(func() {
		_ = stop() // a test that cares has looked
		http.DefaultClient.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, listener.Addr().String(), stop
}

// A server that is told to end says so to balancers, takes requests until they
// have seen it, and answers what it took.
func TestDrain(t *testing.T) {
	g := newGate()
	c := testConfig(t, "ddsa")
	c.NewRunner = func(flags.Runtime, executor.Limits) (Runner, error) { return g, nil }
	c.DrainDelay = 300 * time.Millisecond
	var log lockedBuffer
	c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	_, address, stop := serving(t, c)
	url := "http://" + address
	if status, _ := get(t, url+"/readyz"); status != http.StatusOK {
		t.Errorf("ready: %d", status)
	}
	answered := make(chan int)
	go func() {
		status, _, _ := post(t, url, testRequest(t, "1", says("x")))
		answered <- status
	}()
	<-g.entered
	stopped := make(chan error)
	go func() { stopped <- stop() }()
	for {
		status, _ := get(t, url+"/readyz")
		if status == http.StatusServiceUnavailable {
			break
		}
	}
	for { // until the delay is over
		conn, err := net.Dial("tcp", address)
		if err != nil {
			break
		}
		fmt.Fprint(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		_, _ = bufio.NewReader(conn).ReadString('\n')
		conn.Close()
	}
	close(g.open)
	if status := <-answered; status != http.StatusOK {
		t.Errorf("the request that was taken: %d", status)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if lines := log.lines(`"msg":"draining","delay":"300ms","timeout":"30s"`); len(lines) != 1 {
		t.Errorf("%s", log.String())
	}
}

// A request that does not end in time does not keep the server from ending.
func TestDrainTimeout(t *testing.T) {
	g := newGate()
	c := testConfig(t, "ddsa")
	c.NewRunner = func(flags.Runtime, executor.Limits) (Runner, error) { return g, nil }
	c.DrainDelay, c.DrainTimeout = 0, 10*time.Millisecond
	_, address, stop := serving(t, c)
	cut := make(chan struct{})
	go func() {
		defer close(cut)
		answer, err := http.Post("http://"+address+"/analyze", "application/json", strings.NewReader(string(testRequest(t, "1", says("x")))))
		if err == nil {
			answer.Body.Close()
			t.Error("an answer")
		}
	}()
	<-g.entered
	if err := stop(); err == nil || !strings.Contains(err.Error(), "were not done") {
		t.Error(err)
	}
	<-cut
}
