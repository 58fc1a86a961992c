package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var svg = regexp.MustCompile(`(?s)<svg .*?</svg>`)

// A real browser opens the page: it has all charts and asks for nothing, neither
// here nor elsewhere.
func TestHTMLInChromium(t *testing.T) {
	v := open(t, string(render(t, "html", full())), "--dump-dom")
	if len(v.asked) > 0 || !slices.Equal(v.served, []string{"/"}) {
		t.Errorf("the page asked for %q, the server saw %q", v.asked, v.served)
	}
	charts := svg.FindAllString(v.output, -1)
	if len(charts) != 5 {
		t.Fatalf("got %d charts, want 5", len(charts))
	}
	for _, c := range charts {
		if paths, texts := strings.Count(c, "<path "), strings.Count(c, "<text "); paths < 10 || texts < 5 {
			t.Errorf("a chart has %d paths and %d texts: %.200s", paths, texts, c)
		}
	}
}

// The charts one below the other, each in a place of its own, are drawn in the
// color that the page's style gives the second arm. Two more requests show that
// the other test would see them.
func TestChartsInChromium(t *testing.T) {
	page := string(render(t, "html", full()))
	style := page[strings.Index(page, "<style>") : strings.Index(page, "</style>")+len("</style>")]
	charts := svg.FindAllString(page, -1)
	const height = 300
	text := "<!DOCTYPE html><title>charts</title>" + style + `<img src="http://elsewhere.invalid/a.png"><img src="/b.png">`
	for i, c := range charts {
		text += fmt.Sprintf(`<figure style="position:absolute;left:0;top:%dpx;width:%dpx">%s</figure>`, i*height, 2*height, c)
	}
	shot := filepath.Join(t.TempDir(), "shot.png")
	v := open(t, text, "--screenshot="+shot, fmt.Sprintf("--window-size=%d,%d", 2*height, len(charts)*height))
	if !slices.Contains(v.asked, "http://elsewhere.invalid/a.png") || !slices.Contains(v.served, "/b.png") {
		t.Errorf("the page asked for %q, the server saw %q", v.asked, v.served)
	}
	picture := read(t, shot)
	for i := range charts {
		n := count(picture, image.Rect(0, i*height, 2*height, (i+1)*height), color.RGBA{0x0b, 0x62, 0xb0, 0xff})
		if n < 20 {
			t.Errorf("chart %d has %d pixels in the second arm's color", i, n)
		}
	}
}

// A visit is what came of opening a page: the browser's output, the paths that
// the server saw, and the addresses that the page asked for.
type visit struct {
	output        string
	served, asked []string
}

func open(t *testing.T, page string, flags ...string) visit {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes seconds to start")
	}
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	var v visit
	var lock sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		v.served = append(v.served, r.URL.Path)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page)) // the browser may be gone
	}))
	defer server.Close()

	// A helper process of the browser may outlive it and still write here.
	dir, err := os.MkdirTemp("", "report-chromium-*")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	log := filepath.Join(dir, "net.json")
	args := append([]string{
		"--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--hide-scrollbars",
		"--user-data-dir=" + filepath.Join(dir, "user"), "--log-net-log=" + log,
	}, flags...)
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // it refuses to run as root with one
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var output, errors bytes.Buffer
	cmd := exec.CommandContext(ctx, program, append(args, server.URL)...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &output, &errors, 5*time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("chromium: %v\n%s", err, errors.String())
	}
	lock.Lock()
	defer lock.Unlock()
	v.output, v.asked = output.String(), asked(t, log, server.URL)
	return v
}

// asked returns the addresses that a page of origin asked for, from the
// browser's log; what the browser does for itself is not the page's.
func asked(t *testing.T, path, origin string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Events []struct {
			Params struct{ URL, Initiator string }
		}
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range log.Events {
		if e.Params.Initiator == origin {
			list = append(list, e.Params.URL)
		}
	}
	return list
}

func read(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// count returns how many pixels of a part of a picture have exactly this color.
func count(picture image.Image, part image.Rectangle, c color.RGBA) int {
	n := 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if color.RGBAModel.Convert(picture.At(x, y)) == c {
				n++
			}
		}
	}
	return n
}
