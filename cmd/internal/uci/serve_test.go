package uci

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
	"selfplay/workers"
)

// serve returns the answers to some lines of a GUI.
func serve(t testing.TB, lines ...string) string {
	t.Helper()
	var out strings.Builder
	c := Config{Name: "selfplay 1", Game: encode.Chess(), Players: workers.PlayerTypes(), Player: "ab:depth=2,net=none", Seed: 1}
	if err := Serve(context.Background(), c, strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Errorf("%q: %v", lines, err)
	}
	return out.String()
}

// TestLimitsOfGoMayNeedALargerTable: it has to fit, too.
func TestLimitsOfGoMayNeedALargerTable(t *testing.T) {
	var out strings.Builder
	c := Config{Game: encode.Chess(), Players: workers.PlayerTypes(), Player: "ab:nodes=10,hash=64,net=none"}
	c.Fits = func(p workers.PlayerSpec) error {
		if p.Memory() > 1<<20 {
			return errors.New("too large")
		}
		return nil
	}
	lines := "position startpos\ngo\ngo depth 1\n"
	if err := Serve(t.Context(), c, strings.NewReader(lines), &out); err != nil || strings.Count(out.String(), "bestmove ") != 2 ||
		!strings.Contains(out.String(), "info string too large\nbestmove (none)") {
		t.Errorf("%v, %s", err, &out)
	}
}

// elapsed is the part of an answer that differs from run to run.
var elapsed = regexp.MustCompile(`time \d+`)

func TestSessions(t *testing.T) {
	enginetest.Conversation(t, "testdata/session.txt", "A GUI gets other answers", func(lines string) string {
		return elapsed.ReplaceAllString(serve(t, strings.ReplaceAll(lines, `\r`, "\r")), "time T")
	})
	if got := serve(t, ""); got != "" {
		t.Errorf("nothing is answered by %q", got)
	}
	for _, lines := range [][]string{{"go infinite", "isready", "stop"}, {"go ponder wtime 5", "ponderhit"}} {
		if got := serve(t, lines...); !strings.Contains(got, "bestmove") {
			t.Errorf("%q is answered by %q", lines, got)
		}
	}
}

// TestSeedAndGameDecideRandomMoves: a session repeats itself, another seed or game does not.
func TestSeedAndGameDecideRandomMoves(t *testing.T) {
	ask := func(commands ...string) string {
		commands = append(commands, "setoption name Player value random")
		return serve(t, append(commands, strings.Split(strings.Repeat("go;", 10), ";")...)...)
	}
	if a, b := ask(), ask(); a != b {
		t.Errorf("%q, then %q", a, b)
	}
	if a := ask(); a == ask("setoption name Seed value 7") || a == ask("ucinewgame") {
		t.Error("another seed or game repeats the moves")
	}
}

// TestKeptTablesAreThoseOfAGame: the second search of a position is shorter if the game keeps its table, but not in another
// game.
func TestKeptTablesAreThoseOfAGame(t *testing.T) {
	nodes := func(limit string) (list []string) {
		lines := serve(t, "setoption name Player value ab:depth=5,hash=1,net=none,nodes="+limit, "go", "go", "ucinewgame", "go")
		for _, m := range regexp.MustCompile(`nodes (\d+)`).FindAllStringSubmatch(lines, -1) {
			list = append(list, m[1])
		}
		return list
	}
	if n := nodes("1999"); len(n) != 3 || n[0] != n[1] || n[0] != n[2] {
		t.Errorf("%v nodes", n)
	}
	if n := nodes("2000"); len(n) != 3 || n[0] == n[1] || n[0] != n[2] {
		t.Errorf("%v nodes with kept tables", n)
	}
}

// gui is a GUI that reads the answers as they come.
type gui struct {
	in    *io.PipeWriter
	lines chan string
	done  chan error
}

func newGUI(ctx context.Context, player string) *gui {
	read, in := io.Pipe()
	out, write := io.Pipe()
	g := &gui{in: in, lines: make(chan string, 100), done: make(chan error, 1)}
	go func() {
		g.done <- Serve(ctx, Config{Name: "x", Game: encode.Chess(), Players: workers.PlayerTypes(), Player: player}, read, write)
		write.Close()
	}()
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			g.lines <- lines.Text()
		}
		close(g.lines)
	}()
	return g
}

func (g *gui) send(line string) { _, _ = io.WriteString(g.in, line+"\n") }

// expect checks how the next line of the engine begins, and returns the rest.
func (g *gui) expect(t *testing.T, begin string) (rest string) {
	t.Helper()
	rest, ok := strings.CutPrefix(<-g.lines, begin)
	if !ok {
		t.Errorf("%q, want %q", rest, begin)
	}
	return rest
}

// quit ends the session.
func (g *gui) quit(t *testing.T) {
	t.Helper()
	g.send("quit")
	must.Do(t, <-g.done)
}

func TestInfiniteSearchWaitsForStop(t *testing.T) {
	g := newGUI(context.Background(), "ab:depth=1")
	g.send("go infinite")
	g.expect(t, "info depth 1")
	g.send("isready")
	g.expect(t, "readyok")
	g.send("stop")
	g.expect(t, "bestmove ")
	g.quit(t)
}

// TestPonderhitFindsTheSearchThatWaits: for another search, whose result is asked for.
func TestPonderhitFindsTheSearchThatWaits(t *testing.T) {
	g := newGUI(context.Background(), "ab:depth=1")
	g.send(endless)
	g.send("go movetime 200")
	g.send("go ponder wtime 100 btime 100")
	g.send("ponderhit")
	for answers := 0; answers < 2; {
		if strings.HasPrefix(<-g.lines, "bestmove ") {
			answers++
		}
	}
	g.quit(t)
}

// TestEverySearchHasAnAnswer: a search without a limit of its own ends before the next command and at the end of the
// input, and a clock ends any search.
func TestEverySearchHasAnAnswer(t *testing.T) {
	const long = "setoption name Player value mcts:sims=65535,rollout=10000"
	for _, c := range []struct {
		answers int
		lines   []string
	}{
		{1, []string{long, "go infinite"}},
		{1, []string{long, "go ponder wtime 1000"}},
		{4, []string{long, "go infinite", "position startpos moves e2e4", "go ponder", "ucinewgame", "go infinite", "go infinite", "stop"}},
		{1, []string{long, "go infinite", "setoption name Player value random"}},
		{2, []string{long, "go infinite", "go ponder", "stop"}},
		{3, []string{endless, "go movetime 0", "go wtime -5 winc 0", "go wtime 1 btime 1 movestogo 1"}},
		{1, []string{endless, "go ponder wtime 100 btime 100", "ponderhit", "isready"}},
		{2, []string{"go depth 2", "stop", "go depth 2"}},
	} {
		if got := strings.Count(serve(t, c.lines...), "bestmove "); got != c.answers {
			t.Errorf("%q: %d answers, want %d", c.lines, got, c.answers)
		}
	}
}

// TestTimeToThink: a part of the clock, never the rest of it.
func TestTimeToThink(t *testing.T) {
	for args, want := range map[string]time.Duration{
		"movetime 1000":                            970 * time.Millisecond,
		"movetime 10":                              time.Millisecond,
		"wtime 60030 btime 1":                      2400 * time.Millisecond,
		"wtime 60030 winc 400 btime 1":             2700 * time.Millisecond,
		"wtime 4030 winc 4000":                     2 * time.Second,
		"wtime 10030 movestogo 1":                  5 * time.Second,
		"wtime 10030 movestogo 5":                  2 * time.Second,
		"wtime -50 winc 1000":                      time.Millisecond,
		"btime 1000 binc 5 depth 3":                -1,
		"wtime 9223372036854775807 movestogo 1000": -2,
	} {
		l := parseLimits(strings.Fields(args))
		switch got, timed := l.time(engine.First); {
		case timed != (want != -1), want > 0 && got != want, timed && got <= 0:
			t.Errorf("%s: %v", args, got)
		}
	}
}

// TestQuitDoesNotWaitForASearch: nor does isready.
func TestQuitDoesNotWaitForASearch(t *testing.T) {
	g := newGUI(context.Background(), "mcts:sims=30000")
	start := time.Now()
	g.send("go")
	g.send("isready")
	g.expect(t, "readyok")
	g.send("quit")
	if err := <-g.done; err != nil || time.Since(start) > 5*time.Minute {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

// endless is a position in which no search of ab completes an iteration in practice.
const endless = "position fen k1q1q1q1/8/1Q1Q1Q1Q/q1q1q1q1/1Q1Q1Q1Q/q1q1q1q1/1n1Q1Q1Q/K1B1q1q1 w - - 0 1"

// TestStopAbortsASearch: it answers with a legal move, without a score if there is none.
func TestStopAbortsASearch(t *testing.T) {
	g, pos := newGUI(context.Background(), "ab"), encode.Chess().New("")
	must.Do(t, pos.Set(strings.TrimPrefix(endless, "position fen ")))
	g.send(endless)
	for _, command := range []string{"go", "go infinite"} {
		g.send(command)
		g.send("stop")
		if _, err := pos.ParseMove(g.expect(t, "bestmove ")); err != nil {
			t.Errorf("%s: %v", command, err)
		}
	}
	g.quit(t)
}

// TestStopKeepsTheScoreSoFar: that of the last simulations, without the player's own depth.
func TestStopKeepsTheScoreSoFar(t *testing.T) {
	g := newGUI(context.Background(), "mcts:sims=65535,rollout=10000")
	g.send("go")
	g.send("stop")
	g.expect(t, "info score ")
	g.expect(t, "bestmove ")
	g.quit(t)
}

// TestContextEndsASearchThatACommandWaitsFor: the session does not read stop then.
func TestContextEndsASearchThatACommandWaitsFor(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	g := newGUI(ctx, "ab")
	for _, line := range []string{endless, "go", "position startpos"} {
		g.send(line)
	}
	cause := errors.New("cancelled by the test")
	cancel(cause)
	if err := <-g.done; !errors.Is(err, cause) {
		t.Error(err)
	}
}

func TestSessionEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	g := newGUI(ctx, "random")
	cause := errors.New("cancelled by the test")
	cancel(cause)
	if err := <-g.done; !errors.Is(err, cause) {
		t.Error(err)
	}
}

// failingWriter is an output whose reader is gone.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestClosedOutputEndsTheSession(t *testing.T) {
	c := Config{Game: encode.Chess(), Players: workers.PlayerTypes(), Player: "random"}
	if err := Serve(context.Background(), c, strings.NewReader("isready\nisready\n"), failingWriter{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

func TestLineWithoutEndIsAnError(t *testing.T) {
	c := Config{Game: encode.Chess(), Players: workers.PlayerTypes(), Player: "random"}
	if err := Serve(context.Background(), c, strings.NewReader(strings.Repeat("x", 2*maxLine)), io.Discard); err == nil {
		t.Error("accepted")
	}
}

func TestScores(t *testing.T) {
	for score, want := range map[int]string{
		0: "cp 0", 20_000: "cp 20000", -20_000: "cp -20000",
		29_999: "mate 1", 29_997: "mate 2", -29_998: "mate -1", -29_996: "mate -2",
	} {
		if got := scoreText(score); got != want {
			t.Errorf("%d: %s, want %s", score, got, want)
		}
	}
	for n := int64(-1000); n <= 1000; n++ {
		if got := scoreText(mateScore(n)); n != 0 && got != fmt.Sprint("mate ", n) {
			t.Errorf("mate in %d: %s", n, got)
		}
	}
}

// answerLine matches every line that a session may print.
var answerLine = regexp.MustCompile(`^(id |option |uciok$|readyok$|info |bestmove [a-h(])`)

// FuzzSession: everything that a session prints is a line of the protocol, whatever a GUI
// sends.
func FuzzSession(f *testing.F) {
	for _, text := range []string{
		"uci\nisready\nucinewgame\nposition startpos moves e2e4\ngo depth 1\nquit",
		"position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4\ngo infinite\nstop",
		"setoption name Seed value 5\nsetoption name Player value random\ngo wtime 1 btime x nodes\n",
		"position startpos moves e7e8q a a a\ngo mate 3 searchmoves e2e4",
		"position fen 7k/8/5KQ1/8/8/8/8/8 w - - 99 1 moves g6g7\ngo ponder\nponderhit\nstop\nstop\ngo",
		"debug on\nregister later\nposition moves\nposition fen moves e2e4\n\x00\xff",
	} {
		f.Add(text)
	}
	player := regexp.MustCompile(`(?i)player`) // another one may search for hours
	f.Fuzz(func(t *testing.T, text string) {
		var out strings.Builder
		c := Config{Game: encode.Chess(), Players: workers.PlayerTypes(), Player: "random"}
		text = player.ReplaceAllString(text, "x")
		if err := Serve(context.Background(), c, strings.NewReader(text), &out); err != nil && !strings.Contains(err.Error(), "token too long") {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !answerLine.MatchString(strings.TrimSuffix(line, "\n")) {
				t.Errorf("%q answers %q", line, text)
			}
		}
	})
}

// FuzzLimits: the limits of a GUI never change another parameter of a player.
func FuzzLimits(f *testing.F) {
	f.Add("depth 3 nodes 50 wtime 9", "ab:depth=2,multi=3")
	f.Add("infinite nodes -1 depth", "mcts")
	f.Add("searchmoves a depth 5", "0.5*random + 0.5*ab")
	g := encode.Chess()
	f.Fuzz(func(t *testing.T, args, player string) {
		l := parseLimits(strings.Fields(args))
		text, ignored := l.apply(workers.PlayerTypes().Facts(&g.Game), player)
		if len(ignored)+len(l.values) > 2+len(strings.Fields(args)) {
			t.Errorf("%q ignores %q", args, ignored)
		}
		name, list, _ := strings.Cut(player, ":")
		_, limited, _ := strings.Cut(text, ":")
		rest := func(list string) []string {
			return slices.DeleteFunc(strings.Split(list, ","), func(p string) bool {
				return p == "" || strings.HasPrefix(p, "depth=") || strings.HasPrefix(p, "nodes=") || strings.HasPrefix(p, "hard=")
			})
		}
		if !slices.Equal(rest(list), rest(limited)) || !strings.HasPrefix(text, name) {
			t.Errorf("%q made %q of %q", args, text, player)
		}
	})
}

// FuzzEngineOutput: an engine may print anything.
func FuzzEngineOutput(f *testing.F) {
	f.Add("info depth 5 multipv 1 score mate -3 nodes 1234 pv e2e4")
	f.Add("option name Use NNUE type check default true")
	f.Fuzz(func(t *testing.T, line string) {
		var r report
		r.read(line)
		if r.score > 30_000 || r.score < -30_000 || r.scored != (r.counted() > 0) {
			t.Errorf("%q: %+v", line, r)
		}
		if o, ok := parseOption(line); ok && strings.ContainsAny(o.name+o.kind+strings.Join(o.values, ""), "\r\n") {
			t.Errorf("%q: option %+v", line, o)
		}
		e := plan.Evaluator{Name: "x", Manifest: sumOf(""), Fingerprint: sumOf(""), Engine: plainID(line)}
		p := plan.Plan{Game: "chess", Evaluators: []plan.Evaluator{e}}.WithDefaults()
		if err := p.Validate(); err != nil || nameOf(line) != "" && !plan.IsEvaluatorName(nameOf(line)) {
			t.Errorf("%q: engine %q, name %q: %v", line, e.Engine, nameOf(line), err)
		}
	})
}
