//go:build linux

package worker

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// When a worker sends what it has, if there are further requests to read:
// whatever is not sent has to be done again if the worker dies.
const (
	sendAfter = 20 * time.Millisecond
	sendBytes = 32 << 10
)

// A server is the worker's side. All of it runs on one thread.
type server struct {
	program  *Program
	page     *page
	clock    clock
	in       *bufio.Reader
	executor executor.Executor
	setup    setup
	sets     map[uint32]*parserSet
	set      *parserSet     // the present request's
	file     *executor.File // the last one, parsed for that set
	failed   batch          // says why it could not be parsed, if so
	tree     tree

	payload []byte // reused
	request request
	out     []byte
	frame   int   // where in out the last frame starts
	sent    int64 // when out was sent last
	yielded int64 // when other goroutines had a turn last
}

// serve is the worker process. It ends when its requests do.
func serve(p *Program) int {
	runtime.LockOSThread()
	harden()
	shared, err := mapPage(pageFD)
	if err != nil {
		return 1
	}
	go exitWithParent()
	s := &server{
		program: p, page: shared, clock: newClock(), sets: map[uint32]*parserSet{},
		in: bufio.NewReaderSize(descriptor(requestsFD), 64<<10),
	}
	s.tree = tree{page: shared, clock: s.clock}
	if err := s.start(); err != nil {
		s.out = endFrame(append(startFrame(nil, kindRefused), cut(err.Error(), maxText)...), 0)
		_ = s.send() // the parent will see the end
		return 1
	}
	if err := s.work(); !errors.Is(err, io.EOF) {
		_, _ = os.Stderr.WriteString("fatal error: " + err.Error() + "\n")
		return 1
	}
	return 0
}

func (s *server) start() error {
	kind, err := s.receive()
	if err == nil && kind != kindSetup {
		err = errProtocol
	}
	if err == nil {
		err = readGob(s.payload, &s.setup)
	}
	if err != nil {
		return err
	}
	if err := limitMemory(s.setup.Limits); err != nil {
		return err
	}
	if s.executor, err = s.program.NewExecutor(s.setup.Executor, s.setup.Limits); err != nil {
		return err
	}
	s.executor, _ = executor.Stay(s.executor) // as long as the process lasts
	if err := s.add(newRules{Rules: s.setup.Rules}).err; err != nil {
		return err
	}
	s.page.publish(s.executor.Stats())
	s.out = endFrame(startFrame(nil, kindReady), 0)
	return s.send()
}

var errProtocol = errors.New("worker: message from the parent that makes no sense")

// work does requests until they end, with io.EOF if all was well.
func (s *server) work() error {
	for {
		s.yield()
		kind, err := s.receive()
		if err != nil {
			return err
		}
		switch {
		case kind == kindRules:
			var added newRules
			if err = readGob(s.payload, &added); err == nil {
				s.add(added)
			}
		case kind == kindFile && s.request.decode(s.payload):
			err = s.run()
		default:
			err = errProtocol
		}
		if err != nil {
			return err
		}
	}
}

// yield gives way now and then. Go's monitor takes the processor away from a
// goroutine that did not do so for 10 ms, also in C, and then looks every few
// 10 µs what becomes of it: as a process of its own it costs all others more
// than the work that it disturbs.
func (s *server) yield() {
	const often = 5 * time.Millisecond
	if now := s.clock.now(); now-s.yielded >= int64(often) {
		s.yielded = now
		runtime.Gosched()
	}
}

// A parserSet is a set of rules with its parser, or why there is none.
type parserSet struct {
	rules  []*executor.Rule
	parser Parser
	err    error
}

// add makes a parser for a set of rules.
func (s *server) add(added newRules) *parserSet {
	if old := s.sets[added.Set]; old != nil && old.parser != nil {
		_ = old.parser.Close() // memory is all it has
	}
	set := &parserSet{rules: added.Rules}
	set.parser, set.err = s.program.NewParser(added.Rules, s.setup.Parsing)
	s.sets[added.Set] = set
	return set
}

// run does a request.
func (s *server) run() error {
	r := &s.request
	s.page.set(newPlace(r.seq, 0, parsing), s.clock.now())
	head := batch{seq: r.seq}
	set := s.sets[r.set]
	switch {
	case set == nil:
		return errProtocol
	case set.err != nil:
		head.failed = cut(set.err.Error(), maxText)
	case !r.same:
		s.set = set
		head.parsed = s.parse()
		head.known, head.failed = s.failed.known, s.failed.failed
	case s.set != set:
		return errProtocol
	default:
		head.known, head.failed = s.failed.known, s.failed.failed
	}
	if head.failed != "" {
		r.rules = nil
	}
	s.begin(&head)
	for i, number := range r.rules {
		if int(number) >= len(set.rules) {
			return errProtocol
		}
		if err := s.execute(i, set.rules[number], &head); err != nil {
			return err
		}
	}
	s.out[s.frame+lastAt(s.out[s.frame:])] |= batchLast
	s.out = endFrame(s.out, s.frame)
	if s.in.Buffered() == 0 || s.due() {
		return s.send()
	}
	return nil
}

// begin begins a frame of results.
func (s *server) begin(head *batch) {
	s.frame = len(s.out)
	s.out = head.append(s.out)
}

func (s *server) due() bool {
	return len(s.out) >= sendBytes || s.clock.now()-s.sent >= int64(sendAfter)
}

func (s *server) parse() executor.Parsed {
	r := &s.request
	file, err := s.set.parser.Parse(r.path, r.language, r.text)
	s.file, s.failed = file, batch{}
	if err != nil {
		s.failed.failed = cut(err.Error(), maxText)
		for i, target := range s.program.FileErrors {
			if errors.Is(err, target) {
				s.failed.known = i + 1
			}
		}
	} else {
		s.tree.Tree = file.Tree
		file.Tree = &s.tree
	}
	return s.set.parser.Parsed()
}

// execute runs one rule, keeps the result, and sends what there is when that
// has become worth it.
func (s *server) execute(i int, rule *executor.Rule, head *batch) error {
	s.tree.position = newPlace(s.request.seq, i, executing)
	s.page.set(newPlace(s.request.seq, i, matching), s.clock.now())
	result, err := s.executor.Execute(context.Background(), rule, s.file)
	s.page.set(newPlace(s.request.seq, i, collecting), s.clock.now())
	s.page.publish(s.executor.Stats())
	before := len(s.out)
	s.out = appendResult(s.out, &result, err)
	if len(s.out)-s.frame > maxFrame {
		s.out = appendResult(s.out[:before], &executor.Result{Entered: result.Entered, Elapsed: result.Elapsed, InV8: result.InV8},
			&executor.Error{Outcome: executor.Script, Elapsed: result.Elapsed, Detail: "findings too large to be handed over"})
	}
	if i == len(s.request.rules)-1 || !s.due() {
		return nil
	}
	s.out = endFrame(s.out, s.frame)
	if err := s.send(); err != nil {
		return err
	}
	s.begin(&batch{seq: head.seq, from: i + 1})
	return nil
}

// lastAt is where in a frame of results the flags stand.
func lastAt(frame []byte) int {
	at := headLength + 1
	for range 2 {
		_, n := binary.Uvarint(frame[at:])
		at += n
	}
	return at
}

// send sends the frames in out.
func (s *server) send() error {
	_, err := descriptor(resultsFD).Write(s.out)
	s.sent = s.clock.now()
	if s.out = s.out[:0]; cap(s.out) > 1<<20 {
		s.out = nil
	}
	return err
}

// receive reads a frame into payload.
func (s *server) receive() (kind byte, err error) {
	var head [headLength + 1]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil {
		return 0, err
	}
	length := int(binary.LittleEndian.Uint32(head[:])) - 1
	if length < 0 {
		return 0, errProtocol
	}
	if cap(s.payload) < length {
		s.payload = make([]byte, length)
	}
	s.payload = s.payload[:length]
	_, err = io.ReadFull(s.in, s.payload)
	return head[headLength], err
}
