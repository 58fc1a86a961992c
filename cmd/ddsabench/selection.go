package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/corpus"
)

// A shard is one of Of parts of a corpus, Index from 1. The zero value is the
// whole.
type shard struct {
	Index int `json:"index"`
	Of    int `json:"of"`
}

// selectionOptions take a part of a corpus.
func selectionOptions() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "every", Value: 1, Usage: "take 1 file of `N`, by the paths' hashes"},
		&cli.StringFlag{Name: "shard", Usage: "take part `I/N`; see merge", DefaultText: "all"},
		gitignoredOption(),
		cacheOption(),
	}
}

// sourceFrom is the source that a command's options describe.
func sourceFrom(c *cli.Context, corpusName string) (source, error) {
	s := source{Corpus: corpusName, Rules: rulesFrom(c), Gitignored: c.Bool("gitignored"), Every: c.Int("every")}
	var part, cache error
	s.Shard, part = parseShard(c.String("shard"))
	if s.Cache, cache = cacheDir(c); !slices.Contains(corpus.Tiers(), corpusName) {
		cache = nil // a folder needs none
	}
	if s.Every < 1 {
		part = errors.Join(usagef("--every %d: at least 1 is needed", s.Every), part)
	}
	return s, errors.Join(part, cache)
}

// parseShard reads I/N; an empty text is the whole.
func parseShard(text string) (shard, error) {
	if text == "" {
		return shard{}, nil
	}
	index, of, _ := strings.Cut(text, "/")
	i, errI := strconv.Atoi(index)
	n, errN := strconv.Atoi(of)
	if errI != nil || errN != nil || i < 1 || i > n {
		return shard{}, usagef("--shard %q is not I/N with I from 1 to N, such as 2/7", text)
	}
	return shard{i, n}, nil
}

// take returns the source's part of files, and the files that it is a part of.
func (s source) take(files *corpus.Corpus) (part, whole *corpus.Corpus, err error) {
	whole = files
	if s.Every > 1 {
		if whole, err = files.Every(s.Every); err != nil {
			return nil, nil, err
		}
	}
	if s.Shard == (shard{}) {
		return whole, whole, nil
	}
	part, err = whole.Shard(s.Shard.Index, s.Shard.Of)
	return part, whole, err
}

// shard describes the files' part in the whole for a record; nil for all.
func (l *workload) shard(s source) *harness.Shard {
	if s.Shard == (shard{}) {
		return nil
	}
	whole := s
	whole.Shard = shard{}
	return &harness.Shard{
		Index: s.Shard.Index, Of: s.Shard.Of,
		Whole: inputOf(l.whole, whole.name()),
	}
}

// name is the files' name for a record, without the machine's paths.
func (s source) name() string {
	name := published(s.Corpus)
	if s.Every > 1 {
		name += fmt.Sprintf(", 1 file of %d", s.Every)
	}
	if s.Shard != (shard{}) {
		name += fmt.Sprintf(", shard %d/%d", s.Shard.Index, s.Shard.Of)
	}
	return name
}
