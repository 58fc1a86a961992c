package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/flags"
)

// A restart in an emergency gives service, with legacy, whatever slip of the pen
// there is in the kill switch or beside it. The log warns.
func TestServeWithASlipInTheKillSwitch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flag.yaml")
	if err := os.WriteFile(file, []byte("runtime: off\nkill: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ variable, value, source, text string }{
		{flags.KillEnv, "ture", string(flags.SourceKill), `"ture" is neither true nor false`},
		{flags.FileEnv, file, string(flags.SourceFileKill), `unknown runtime "off"`},
	} {
		t.Run(c.variable, func(t *testing.T) {
			t.Setenv(c.variable, c.value)
			address, stop := startServer(t, "--isolation", "thread", "--workers", "1", "--ddsa-runtime", "ddsa")
			answer, err := http.Get("http://" + address + "/runtime")
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			var got struct {
				Decision struct{ Executor, Reason, Source, Error string }
			}
			if err := json.NewDecoder(answer.Body).Decode(&got); err != nil {
				t.Fatal(err)
			}
			if d := got.Decision; d.Executor != "legacy" || d.Reason != "ERROR" || d.Source != c.source || !strings.Contains(d.Error, c.text) {
				t.Errorf("/runtime has %+v", d)
			}
			code, log := stop()
			if code != exitOK || strings.Count(log, `"level":"WARN"`) != 1 || !strings.Contains(log, `"kill":"`+c.source) {
				t.Errorf("code %d\n%s", code, log)
			}
		})
	}
}
