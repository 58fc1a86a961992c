package main

import (
	"fmt"
	"io"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/corpus"
	"github.com/ddsabench/ddsabench/harness/measure"
	"github.com/ddsabench/ddsabench/syntax"
)

// A source says where the files and rules of a job come from. compare hands it
// on to its children.
type source struct {
	Corpus string      `json:"corpus"`
	Cache  string      `json:"cache"`
	Rules  rulesSource `json:"rules"`
	// Gitignored takes in what .gitignore files exclude from a folder.
	Gitignored bool `json:"gitignored,omitempty"`
	// Every takes one file of so many, Shard a part of what that leaves.
	Every int   `json:"every"`
	Shard shard `json:"shard"`
	// Empty asks a child to run over no file.
	Empty bool `json:"empty,omitempty"`
}

// A workload is the open files and compiled rules of one job.
type workload struct {
	files *corpus.Corpus
	// whole are the files of all shards.
	whole   *corpus.Corpus
	rules   *ruleBook
	parsing syntax.Options
	// isolation is inProcess if executors, and parsers, are in processes of
	// their own.
	isolation string
}

var languages = []struct {
	executor.Language
	name string
}{{executor.JavaScript, "JavaScript"}, {executor.TypeScript, "TypeScript"}}

// open opens files and rules. It wants at least one rule for one file.
func (s source) open() (*workload, error) {
	book, err := s.Rules.load()
	if err != nil {
		return nil, err
	}
	var options []corpus.Option
	if s.Gitignored {
		options = append(options, corpus.Gitignored)
	}
	files, err := corpus.Open(s.Cache, s.Corpus, options...)
	if err != nil {
		book.close()
		return nil, err
	}
	part, whole, err := s.take(files)
	if err != nil {
		_ = files.Close() // was only read
		book.close()
		return nil, err
	}
	l := &workload{
		files: part, whole: whole, rules: book, parsing: syntax.DefaultOptions(),
	}
	for _, language := range languages {
		if whole.Count(language.Language) > 0 && len(book.byLanguage[language.Language]) > 0 {
			return l, nil // a shard of a small corpus may have none
		}
	}
	l.close()
	return nil, usagef("rules %s: no rule for any of the files in %s", s.Rules.Path, s.Corpus)
}

// close closes the workload, when no parser is open any more. Files were only
// read.
func (l *workload) close() {
	_ = l.files.Close()
	l.rules.close()
}

// warn names the rules and files that are left out.
func (l *workload) warn(w io.Writer) {
	l.rules.warn(w)
	problems := l.files.Problems()
	for _, p := range problems {
		fmt.Fprintf(w, "left out: %s: %v\n", plain(p.Path), p.Err)
	}
	if n := len(problems); n > 0 {
		fmt.Fprintf(w, "%s could not be read; the rest is analyzed\n", plural(n, "file"))
	}
}

// env is what measure needs for a job with executors that newExecutor makes.
func (l *workload) env(newExecutor func() (executor.Executor, error)) measure.Env {
	return measure.Env{
		Files: l.files.Len(),
		Entry: func(i int) (executor.Language, string) {
			e, _ := l.files.Entry(i) // with an error Read has it too
			return e.Language, e.Path
		},
		Read:         l.files.Read,
		CorpusDigest: l.files.Digest(),
		Rules:        l.rules.byLanguage,
		RulesDigest:  l.rules.input("").Digest,
		NewParser:    func() (measure.Parser, error) { return l.newParser(), nil },
		NewExecutor:  newExecutor,
	}
}

// input describes the files for a record.
func (l *workload) input(name string) harness.Input { return inputOf(l.files, name) }

func inputOf(files *corpus.Corpus, name string) harness.Input {
	counts := map[executor.Language]int{}
	for _, language := range languages {
		if n := files.Count(language.Language); n > 0 {
			counts[language.Language] = n
		}
	}
	return harness.Input{Name: name, Digest: files.Digest(), Counts: counts, Bytes: files.Bytes()}
}

// A parser is one worker's parser, with the buffer that it reads files into and
// the sums of its times.
type parser struct {
	*syntax.Parser // nil if the executor parses
	load           *workload
	buffer         []byte
	parse, match   time.Duration
}

func (l *workload) newParser() *parser {
	if l.isolation == inProcess {
		return &parser{load: l}
	}
	return &parser{Parser: l.rules.queries.NewParser(l.parsing), load: l}
}

// file reads and parses file i; with an error the file has only its name.
func (p *parser) file(i int) (*executor.File, error) {
	e, err := p.load.files.Entry(i)
	name := &executor.File{Path: e.Path, Language: e.Language}
	if err != nil {
		return name, err
	}
	text, err := p.load.files.Read(i, p.buffer)
	if err != nil {
		return name, err
	}
	p.buffer = text[:0]
	file, err := p.Parse(e.Path, e.Language, text)
	if err != nil {
		return name, err
	}
	return file, nil
}

// Parse implements measure.Parser.
func (p *parser) Parse(path string, language executor.Language, text []byte) (*executor.File, error) {
	if p.Parser == nil {
		return unparsed(path, language, text), nil
	}
	file, err := p.Parser.Parse(path, language, string(text))
	cost := p.Cost()
	p.parse += cost.Parse
	p.match += cost.Pass
	return file, err
}

// Close implements measure.Parser.
func (p *parser) Close() error {
	if p.Parser == nil {
		return nil
	}
	return p.Parser.Close()
}

// Times implements measure.Parser; what an executor in a process of its own
// spent is in the files' results.
func (p *parser) Times() (parse, match time.Duration) { return p.parse, p.match }
