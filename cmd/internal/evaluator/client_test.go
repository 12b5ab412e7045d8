package evaluator

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"selfplay/cmd/internal/evaluator/evaluatortest"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// game returns a game.
func game(t testing.TB, name string) encode.Game {
	t.Helper()
	return must.Get(encode.Games().Find(name))(t)
}

// log is a writer for several goroutines.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// connectChild starts the test binary as an evaluator with a fault.
func connectChild(t *testing.T, g encode.Game, fault string, l *log) (*Client, error) {
	t.Helper()
	return connectTo(t, Asked{Game: g}, fault, l)
}

// connectTo starts the test binary as a model or a player with a fault.
func connectTo(t *testing.T, w Asked, fault string, l *log) (*Client, error) {
	t.Helper()
	t.Setenv(childVariable, fault)
	pause = time.Millisecond
	o := Options{Start: 2 * time.Second, Timeout: 400 * time.Millisecond, Log: l, Notify: func(text string) { l.Write([]byte(text + "\n")) }}
	c, err := Connect(t.Context(), Source{Name: "mine", Command: []string{must.Get(os.Executable())(t)}}, must.Get(w.Hello())(t), o)
	if err == nil {
		t.Cleanup(c.Close)
	}
	return c, err
}

// TestFingerprint of a hash function: the same in other processes, other for another manifest.
func TestFingerprint(t *testing.T) {
	for _, name := range []string{"contrast", "cotulenh", "chess"} {
		g := game(t, name)
		var digests []string
		for _, fault := range []string{"", "prints slow", "batch=64"} {
			c := must.Get(connectChild(t, g, fault, new(log)))(t)
			a := must.Get(Ask(t.Context(), c, Asked{Game: g}, c.Welcome().Batch))(t)
			if len(a.Values) != fixedPositions {
				t.Fatalf("%d answers", len(a.Values))
			}
			digests = append(digests, a.Digest(c.Welcome().ManifestHash()))
			if c.CPU() == 0 || c.ModelCPU() == 0 {
				t.Errorf("no CPU time")
			}
			if a.Digest("other") == digests[0] {
				t.Error("the manifest does not count")
			}
		}
		if digests[0] != digests[1] || digests[0] != digests[2] {
			t.Errorf("%s: %q", name, digests)
		}
	}
}

// TestWrongEvaluators: what each wrong program leads to, and in how much time.
func TestWrongEvaluators(t *testing.T) {
	g := game(t, "contrast")
	for _, c := range []struct{ fault, want string }{
		{"exits=0", "evaluator mine: 3 failures without an answer: it ended before an answer"},
		{"hangs=0", "evaluator mine: 3 failures without an answer: no answer within 400ms"},
		{"mute", "evaluator mine: no hello within 2s"},
		{"prints_late=0", `evaluator mine: 3 failures without an answer: bytes that are no frame of the protocol: "a line on st": a model must print to stderr`},
		{"short=0", "want "},
		{"refuses=0", "evaluator mine: the value is nan"},
		{"game=chess", `evaluator mine: its model is for game "chess", but this is "contrast"`},
		{"batch=0", "evaluator mine: batch 0: want 1 to 16384"},
		{"batch=99999", "evaluator mine: batch 99999: want 1 to 16384"},
		{"neighbours", "depends on its place in the batch or on its neighbours"},
	} {
		client, err := connectChild(t, g, c.fault, new(log))
		if err == nil {
			_, err = Ask(t.Context(), client, Asked{Game: g}, client.Welcome().Batch)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%s: %v, want %s", c.fault, err, c.want)
		}
	}
	client, err := connectChild(t, g, "refuses=0", new(log))
	if err == nil {
		_, err = Ask(t.Context(), client, Asked{Game: g}, 16)
	}
	if err == nil || !strings.HasPrefix(err.Error(), "position \"") {
		t.Errorf("%v: want the position", err)
	}
}

// TestCrashesAreMended as long as an answer comes between them.
func TestCrashesAreMended(t *testing.T) {
	g := game(t, "contrast")
	sound := must.Get(connectChild(t, g, "", new(log)))(t)
	want := must.Get(Ask(t.Context(), sound, Asked{Game: g}, 16))(t)
	for _, fault := range []string{"exits=5", "hangs=7", "prints_late=6", "short=9"} {
		l := new(log)
		c := must.Get(connectChild(t, g, fault, l))(t)
		a, err := Ask(t.Context(), c, Asked{Game: g}, 16)
		if err != nil || a.Digest("") != want.Digest("") {
			t.Errorf("%s: %v, other answers: %v", fault, err, err == nil)
		}
		if n := strings.Count(l.String(), "asking again"); n < 3 {
			t.Errorf("%s: %d failures told: %s", fault, n, l)
		}
	}
}

// TestAnotherModelAfterACrashIsRefused.
func TestAnotherModelAfterACrashIsRefused(t *testing.T) {
	g := game(t, "contrast")
	c := must.Get(connectChild(t, g, "exits=2 changes="+filepath.Join(t.TempDir(), "x"), new(log)))(t)
	_, err := Ask(t.Context(), c, Asked{Game: g}, 16)
	if err == nil || !strings.Contains(err.Error(), "it is another model than before") {
		t.Error(err)
	}
}

// TestGamesAreTheSameWithCrashes, workers and evaluators.
func TestGamesAreTheSameWithCrashes(t *testing.T) {
	g := game(t, "contrast")
	play := func(size int, faults ...string) (list []uint16) {
		m := &workers.Model{Name: "mine", Batch: 16, Game: g}
		for _, fault := range faults {
			m.Evaluators = append(m.Evaluators, must.Get(connectChild(t, g, fault, new(log)))(t))
		}
		spec := must.Get(workers.PlayerTypes().ParseFrom(&g.Game, "mcts:sims=16,eval=mine", workers.Sources{Models: func(string) (*workers.Model, error) { return m, nil }}))(t)
		pool := workers.Start(workers.Series{Game: g, Players: [2]workers.PlayerSpec{spec, spec}, Seed: 5, MaxPlies: 12, Opening: workers.Opening{MinPlies: 1, MaxPlies: 4}}, size)
		defer pool.Close()
		must.Do(t, pool.Play(t.Context(), workers.Games(0, 24), nil, func(r *engine.Record) error {
			list = append(append(list, r.Actions...), r.PolicyAction...)
			return nil
		}))
		return list
	}
	want := play(1, "")
	for size, faults := range map[int][]string{7: {""}, 33: {"exits=9", ""}, 32: {"exits=6", "prints_late=5"}} {
		if got := play(size, faults...); !equal(got, want) {
			t.Errorf("%d workers, %q: other games", size, faults)
		}
	}
}

func equal(a, b []uint16) bool { return string(bytesOf(a)) == string(bytesOf(b)) }

func bytesOf(list []uint16) (b []byte) {
	for _, v := range list {
		b = append(b, byte(v), byte(v>>8))
	}
	return b
}

// TestSockets: an evaluator that listens, and one that nobody listens for.
func TestSockets(t *testing.T) {
	g := game(t, "contrast")
	pause = time.Millisecond
	path := filepath.Join(t.TempDir(), "socket")
	for network, address := range map[string]string{"tcp": "127.0.0.1:0", "unix": path} {
		l := must.Get(net.Listen(network, address))(t)
		served := make(chan error, 1)
		go func() {
			conn, err := l.Accept()
			if err == nil {
				err = evaluatortest.Serve("", conn, conn)
			}
			served <- err
		}()
		o := Options{Start: time.Second, Timeout: time.Second, Log: new(log)}
		c := must.Get(Connect(t.Context(), must.Get(ParseSource("mine="+network+":"+l.Addr().String()))(t), must.Get(Asked{Game: g}.Hello())(t), o))(t)
		must.Get(Ask(t.Context(), c, Asked{Game: g}, c.Welcome().Batch))(t)
		c.Close()
		must.Do(t, <-served)
		l.Close()
		_, err := Connect(t.Context(), Source{Name: "mine", Network: network, Address: l.Addr().String()}, c.hello, o)
		if err == nil || !strings.HasPrefix(err.Error(), "evaluator mine: dial ") {
			t.Error(err)
		}
	}
}

// TestAnotherServerIsNoEvaluator: one that keeps its connections open after an answer of its own.
func TestAnotherServerIsNoEvaluator(t *testing.T) {
	pause = time.Millisecond
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			_, _ = conn.Write([]byte("HTTP/1.0 400 Bad Request\r\n\r\n"))
		}
	}()
	o := Options{Start: time.Hour, Timeout: time.Hour, Log: new(log)}
	_, err := Connect(t.Context(), Source{Name: "mine", Network: "tcp", Address: l.Addr().String()}, must.Get(Asked{Game: game(t, "contrast")}.Hello())(t), o)
	if !errors.Is(err, errFrame) {
		t.Error(err)
	}
	l.Close()
}

// TestServersMayRestart: the next listener comes long after three pauses. Two batches are in flight, as in a run.
func TestServersMayRestart(t *testing.T) {
	g := game(t, "contrast")
	pause = time.Millisecond
	path := filepath.Join(t.TempDir(), "socket")
	lost := serveOnce(t, path)
	o := Options{Start: 20 * time.Second, Timeout: 5 * time.Second, Log: new(log)}
	c := must.Get(Connect(t.Context(), must.Get(ParseSource("mine=unix:"+path))(t), must.Get(Asked{Game: g}.Hello())(t), o))(t)
	defer c.Close()
	must.Get(Ask(t.Context(), c, Asked{Game: g}, 16))(t)
	lost()
	time.AfterFunc(100*time.Millisecond, func() { serveOnce(t, path) })
	asked := make(chan error)
	for range 2 {
		go func() {
			_, err := Ask(t.Context(), c, Asked{Game: g}, 16)
			asked <- err
		}()
	}
	for range 2 {
		if err := <-asked; err != nil {
			t.Error(err)
		}
	}
}

// TestServersMayBeginLater than their client, which says once that it waits.
func TestServersMayBeginLater(t *testing.T) {
	g := game(t, "contrast")
	pause = time.Millisecond
	path, l := filepath.Join(t.TempDir(), "socket"), new(log)
	time.AfterFunc(100*time.Millisecond, func() { serveOnce(t, path) })
	o := Options{Start: 20 * time.Second, Timeout: 5 * time.Second, Log: l, Notify: func(text string) { l.Write([]byte(text + "\n")) }}
	c := must.Get(Connect(t.Context(), must.Get(ParseSource("mine=unix:"+path))(t), must.Get(Asked{Game: g}.Hello())(t), o))(t)
	defer c.Close()
	must.Get(Ask(t.Context(), c, Asked{Game: g}, 16))(t)
	if n := strings.Count(l.String(), "waiting for it, 20s at most"); n != 1 {
		t.Errorf("told %d times: %s", n, l)
	}
}

// serveOnce listens at a path for one connection, and serves it. It returns a function that ends both.
func serveOnce(t *testing.T, path string) (lost func()) {
	l := must.Get(net.Listen("unix", path))(t)
	accepted := make(chan net.Conn, 1)
	go func() {
		conn, err := l.Accept()
		l.Close()
		if err == nil {
			accepted <- conn
			_ = evaluatortest.Serve("", conn, conn) // until the connection ends
		}
	}()
	return func() { (<-accepted).Close() }
}

// TestStopEndsAQuestion at once.
func TestStopEndsAQuestion(t *testing.T) {
	g := game(t, "contrast")
	c := must.Get(connectChild(t, g, "hangs=0", new(log)))(t)
	c.o.Timeout = time.Hour
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	time.AfterFunc(50*time.Millisecond, func() { cancel(stop) })
	if _, err := Ask(ctx, c, Asked{Game: g}, 16); !errors.Is(err, stop) {
		t.Error(err)
	}
}

// TestSources: what stands for an evaluator on the command line.
func TestSources(t *testing.T) {
	for text, want := range map[string]string{
		"mine=python my_model.py": "mine||python,my_model.py",
		`m=py "a b" 'c d'e ""`:    "m||py,a b,c de,",
		"m=unix:/run/x":           "m|unix:/run/x|",
		"m=tcp:gpu1:7000":         "m|tcp:gpu1:7000|",
		"m=tcp:[::1]:7000":        "m|tcp:[::1]:7000|",
		"m=tcp:gpu1":              "error: expected a host and a port",
		"m=tcp:gpu1:99999":        "error: port 99999: want 1 to 65535",
		"m=tcp:gpu1:0":            "error: port 0: want 1 to 65535",
		"m=tcp:gpu1:http":         "error: port http: want 1 to 65535",
		"m=unix:client_test.go":   "error: client_test.go is no socket",
		"m=unix:.":                "error: . is no socket",
		"m=unix:doc.go/x":         "error: stat doc.go/x: not a directory",
		"m=unix:":                 "error: want the path",

		"m=unix:/" + strings.Repeat("a", 107): "error: the path has 108 bytes: a socket has at most 107",
		"python my_model.py":                  "error: want NAME='COMMAND'",
		"Mine=x":                              "error: want NAME='COMMAND'",
		"m=":                                  "error: want NAME='COMMAND'",
		"m=a 'b":                              "error: a quote ' is not closed",
	} {
		s, err := ParseSource(text)
		if err != nil {
			if fault, ok := strings.CutPrefix(want, "error: "); !ok || !strings.Contains(err.Error(), fault) {
				t.Errorf("%s: %v, want %s", text, err, want)
			}
			continue
		}
		where := ""
		if s.Network != "" {
			where = s.String()
		}
		if got := s.Name + "|" + where + "|" + strings.Join(s.Command, ","); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
