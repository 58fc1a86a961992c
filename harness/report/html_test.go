package report_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

var pictureText = regexp.MustCompile(`(?s)(<svg [^>]*><title>[^<]*</title>).*?</svg>`)

// The page, its pictures left out: package chart has tests of its own.
func TestHTMLGolden(t *testing.T) {
	for name, text := range map[string][]byte{"full.html": render(t, "html", full()), "few.html": render(t, "html", cases()["few"])} {
		golden(t, name, pictureText.ReplaceAll(text, []byte("$1...</svg>")))
	}
}

// Nothing in a page makes a request, and nothing of a record becomes markup.
func TestHTMLUntrusted(t *testing.T) {
	for _, text := range []string{string(render(t, "html", full())), string(render(t, "html", hostile())), string(render(t, "html", cases()["differ"]))} {
		for _, bad := range []string{"<script", "</p>\"", "http:", "https:", "//", "url(", "@import", "src=", "\x1b"} {
			if strings.Contains(text, bad) {
				t.Errorf("the page has %q in it", bad)
			}
		}
	}
}

// A record of many rounds with full series makes a page of less than 1 MB.
func TestHTMLSize(t *testing.T) {
	r := record(300, "legacy", "ddsa", "none")
	for i := range r.Samples {
		s := &r.Samples[i]
		for j := range 1200 {
			s.Series.At = append(s.Series.At, time.Duration(j)*51234567)
			s.Series.RSS = append(s.Series.RSS, uint64(1e8+(i*j*7919)%1e7))
			s.Series.Threads = append(s.Series.Threads, (i+j)%17)
		}
	}
	if n := len(render(t, "html", r)); n > 1e6 {
		t.Errorf("the page has %d bytes", n)
	}
}
