package uci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/encode"
	"selfplay/workers"
)

// serve returns the answers to some lines of a GUI.
func serve(t testing.TB, lines ...string) string {
	t.Helper()
	var out strings.Builder
	c := Config{Name: "selfplay 1", Game: encode.Chess(), Players: workers.PlayerTypes(), Player: "ab:depth=2", Seed: 1}
	if err := Serve(context.Background(), c, strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Errorf("%q: %v", lines, err)
	}
	return out.String()
}

func TestSession(t *testing.T) {
	const mate = "position fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1"
	const move = `bestmove [a-h][1-8][a-h][1-8]\n`
	const search = `info depth 2 score cp -?\d+ nodes \d+ time \d+ pv [a-h][1-8][a-h][1-8]\n` + move
	for name, c := range map[string]struct{ in, want string }{
		"introduction":                        {"uci", "id name selfplay 1\nid author .*\noption name Player type string default ab:depth=2\noption name Seed type spin default 1 min 0 max 2147483647\nuciok\n"},
		"ready":                               {"isready", "readyok\n"},
		"nothing":                             {"", ""},
		"quit":                                {"quit;isready", ""},
		"search from the start":               {"go", search},
		"search after moves":                  {"ucinewgame;position startpos moves e2e4 c7c5;go", search},
		"search from a FEN":                   {"position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4;go", search},
		"depth replaces that of the player":   {"go depth 3", strings.Replace(search, "2", "3", 1)},
		"nodes replace the depth":             {"go nodes 50", `info score cp -?\d+ nodes \d+ time \d+ pv \w+\n` + move},
		"nodes replace a hard limit":          {"setoption name Player value ab:nodes=10,hard=20;go nodes 5000", `info score cp -?\d+ nodes \d{4} time \d+ pv \w+\n` + move},
		"time is ignored":                     {"go wtime 1000 btime 1000 movetime 5", "info string ignored: wtime, btime, movetime; the player ab:depth=2 has limits of its own\n" + search},
		"a depth above the largest":           {mate + ";go depth 65", `info depth 64 score mate 1 .*\nbestmove g6(g7|e8)\n`},
		"nodes above the most":                {mate + ";go nodes 5000000000", `info score mate 1 .*\nbestmove g6(g7|e8)\n`},
		"a limit that the player has not":     {"setoption name Player value greedy;go nodes 7", "info string ignored: nodes; .*\ninfo score .*\n" + move},
		"mate":                                {mate + ";go", `info depth 2 score mate 1 nodes \d+ time \d+ pv \w+\n` + `bestmove g6(g7|e8)\n`},
		"mated":                               {mate + " moves g6g7;go", "bestmove \\(none\\)\n"},
		"the game is drawn, the GUI plays on": {"position startpos moves" + strings.Repeat(" g1f3 g8f6 f3g1 f6g8", 2) + ";go", "info string the game is drawn: repetition\n" + search},
		"no material is left":                 {"position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1;go", "info string the game is drawn: .*\n" + move},
		"infinite search is held until stop":  {"go infinite;isready;stop", "(?s).*bestmove.*"},
		"the position after a search":         {"go;go", search + search},
		"random does not search":              {"setoption name Player value random;go", move},
		"a mixture":                           {"setoption name player value 0.5*random + 0.5*random:uniform;go", move},
		"unknown player":                      {"setoption name Player value deep", "info string unknown player .*\n"},
		"unknown option":                      {"setoption name Hash value 1", "info string unknown option \"Hash\": the options are Player and Seed\n"},
		"wrong seed":                          {"setoption name Seed value -1", "info string seed .*\n"},
		"unknown command":                     {"joke", "info string unknown command \"joke\"\n"},
		"unknown words before a command":      {"please do isready", "readyok\n"},
		"illegal move, then no search":        {"position startpos moves e2e5;go", "info string move \"e2e5\": .*\ninfo string no search: the position is invalid\nbestmove \\(none\\)\n"},
		"wrong FEN":                           {"position fen 8/8 w;go", "info string position \"8/8 w\": .*\ninfo string no search.*\nbestmove \\(none\\)\n"},
		"no position":                         {"position", "info string position \"\": want startpos or fen\n"},
		"a valid position after a wrong one":  {"position fen 8;position startpos;go", "info string .*\n" + search},
		"windows line ends":                   {"isready\r", "readyok\n"},
		"stop without a search":               {"stop;ponderhit", ""},
		"search of some moves is not offered": {"go searchmoves e2e4 depth 9", "info string ignored: searchmoves; .*\n" + search},
		"pondering is held like infinite":     {"go ponder wtime 5;ponderhit", "(?s).*bestmove.*"},
	} {
		got := serve(t, strings.Split(c.in, ";")...)
		if !regexp.MustCompile("^" + c.want + "$").MatchString(got) {
			t.Errorf("%s: %q answered by %q, want %q", name, c.in, got, c.want)
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
		text := make([]byte, 1<<16)
		for {
			n, err := out.Read(text)
			if err != nil {
				close(g.lines)
				return
			}
			g.lines <- string(text[:n])
		}
	}()
	return g
}

func (g *gui) send(line string) { _, _ = io.WriteString(g.in, line+"\n") }

func TestInfiniteSearchWaitsForStop(t *testing.T) {
	g := newGUI(context.Background(), "ab:depth=1")
	g.send("go infinite")
	if line := <-g.lines; !strings.HasPrefix(line, "info depth 1") {
		t.Errorf("%q", line)
	}
	g.send("isready")
	if line := <-g.lines; line != "readyok\n" {
		t.Errorf("%q before stop", line)
	}
	g.send("stop")
	if line := <-g.lines; !strings.HasPrefix(line, "bestmove ") {
		t.Errorf("%q", line)
	}
	g.send("quit")
	if err := <-g.done; err != nil {
		t.Error(err)
	}
}

// TestQuitDoesNotWaitForASearch: nor does isready.
func TestQuitDoesNotWaitForASearch(t *testing.T) {
	g := newGUI(context.Background(), "mcts:sims=30000")
	start := time.Now()
	g.send("go")
	g.send("isready")
	if line := <-g.lines; line != "readyok\n" {
		t.Errorf("%q", line)
	}
	g.send("quit")
	if err := <-g.done; err != nil || time.Since(start) > 30*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

// endless is a position in which no search of ab completes an iteration in practice.
const endless = "position fen k1q1q1q1/8/1Q1Q1Q1Q/q1q1q1q1/1Q1Q1Q1Q/q1q1q1q1/1n1Q1Q1Q/K1B1q1q1 w - - 0 1"

// TestStopAbortsASearch: it answers with a legal move, without a score if there is none.
func TestStopAbortsASearch(t *testing.T) {
	g, pos := newGUI(context.Background(), "ab"), encode.Chess().New("")
	if err := pos.Set(strings.TrimPrefix(endless, "position fen ")); err != nil {
		t.Fatal(err)
	}
	g.send(endless)
	for _, command := range []string{"go", "go infinite"} {
		g.send(command)
		g.send("stop")
		move, ok := strings.CutPrefix(<-g.lines, "bestmove ")
		if _, err := pos.ParseMove(strings.TrimSpace(move)); !ok || err != nil {
			t.Errorf("%s: %q, error %v", command, move, err)
		}
	}
	g.send("quit")
	if err := <-g.done; err != nil {
		t.Error(err)
	}
}

// TestStopKeepsTheScoreSoFar: that of the last playouts, without the player's own depth.
func TestStopKeepsTheScoreSoFar(t *testing.T) {
	g := newGUI(context.Background(), "mcts:sims=65535,rollout=10000")
	g.send("go")
	g.send("stop")
	if line := <-g.lines; !strings.HasPrefix(line, "info score ") {
		t.Errorf("%q", line)
	}
	if line := <-g.lines; !strings.HasPrefix(line, "bestmove ") {
		t.Errorf("%q", line)
	}
	g.send("quit")
	<-g.done
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
		if r.score > 30_000 || r.score < -30_000 || r.counted() == 0 {
			t.Errorf("%q: %+v", line, r)
		}
		if name, ok := optionName(line); ok && strings.ContainsAny(name, "\r\n") {
			t.Errorf("%q: option %q", line, name)
		}
	})
}
