package uci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplay/cmd/internal/uci/ucitest"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
	"selfplay/workers"
)

// playFake plays games of a fake engine against random and returns its costs.
func playFake(ctx context.Context, t testing.TB, text string, games uint64) (workers.Cost, error) {
	t.Helper()
	return playFakeIn(ctx, t, "", text, games)
}

// playFakeIn plays games of a variant.
func playFakeIn(ctx context.Context, t testing.TB, variant, text string, games uint64) (workers.Cost, error) {
	t.Helper()
	s := workers.Series{Game: encode.Chess(), Seed: 1, MaxPlies: 30, Pairs: true, Clock: func() int64 { return 0 }}
	s.Opening = workers.Opening{MinPlies: 0, MaxPlies: 4}
	if s.Variant = variant; variant != "" {
		s.Opening.Start = "double"
	}
	var err error
	s.Players[0] = must.Get(Player(ctx, s.Game, text, Options{Variant: variant}))(t)
	s.Players[1] = must.Get(workers.ParsePlayer(&s.Game.Game, "random"))(t)
	pool := workers.Start(s, 2)
	defer pool.Close()
	err = pool.Play(ctx, workers.Games(0, games), nil, func(*engine.Record) error { return nil })
	return pool.Costs()[0], err
}

func TestEnginePlaysGames(t *testing.T) {
	for _, text := range []string{
		fakeText(t, "good"), fakeText(t, "slow"), fakeText(t, "stubborn", "timeout=5"),
		fakeText(t, "options", "option.hash size=4"),
	} {
		cost, err := playFake(context.Background(), t, text, 6)
		if err != nil || cost.Decisions == 0 || cost.Nodes != 7*cost.Decisions {
			t.Errorf("%s: %+v, %v", text, cost, err)
		}
	}
}

// TestEngineIsToldOfChess960: the option is set in the variant alone, and an engine without it is refused.
func TestEngineIsToldOfChess960(t *testing.T) {
	cost, err := playFakeIn(t.Context(), t, "chess960", fakeText(t, "chess960"), 6)
	if err != nil || cost.Decisions == 0 {
		t.Errorf("%+v, %v", cost, err)
	}
	if _, err := playFake(t.Context(), t, fakeText(t, "chess960"), 2); err != nil {
		t.Errorf("standard chess: %v", err)
	}
	if _, err := playFakeIn(t.Context(), t, "chess960", fakeText(t, "good"), 2); err == nil || !strings.Contains(err.Error(), `it has no option "UCI_Chess960"`) {
		t.Errorf("an engine without the option: %v", err)
	}
	for text, want := range map[string]string{"true": "sets it to false", "false": ""} {
		_, err := specOf(encode.Chess(), "", fakeText(t, "good", "option.uci_chess960="+text))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("option %s in standard chess: %v", text, err)
		}
	}
}

// TestCPUTimeIsThatOfTheEngine: a busy engine computes some 30 ms per move. The upper bound is
// generous: it also holds where only elapsed time is known.
func TestCPUTimeIsThatOfTheEngine(t *testing.T) {
	cost, err := playFake(context.Background(), t, fakeText(t, "busy"), 2)
	if mean := time.Duration(cost.CPU / int64(max(1, cost.Decisions))); err != nil || mean < 5*time.Millisecond || mean > 500*time.Millisecond {
		t.Errorf("%v per move, %v", mean, err)
	}
}

func TestFailureOfAnEngineIsTheErrorOfTheMatch(t *testing.T) {
	for _, c := range []struct{ mode, want string }{
		{"exit", "it exited before uciok"},
		{"mute", "no uciok within 5s"},
		{"flood", `more than 1000 lines "option name"`},
		{"threads", "it does not play on one thread"},
		{"deaf", "no readyok within 5s"},
		{"hang", "no bestmove within 5s"},
		{"endless", "no bestmove within 5s"},
		{"crash", "it exited before bestmove: exit status 3 (stderr: abort)"},
		{"garbage", `bestmove "\x00\xff" in `},
		{"illegal", `bestmove "e2e2" in `},
		{"nomove", `bestmove "" in `},
		{"none", `bestmove "(none)" in `},
		{"longline", "token too long"},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			timeout := "timeout=60"
			if strings.Contains(c.want, "within 5s") {
				timeout = "timeout=5"
			}
			_, err := playFake(context.Background(), t, fakeText(t, c.mode, timeout), 4)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "UCI engine ") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestAnotherEngineAfterACrashIsRefused, also when it is asked again.
func TestAnotherEngineAfterACrashIsRefused(t *testing.T) {
	s := must.Get(specOf(encode.Chess(), "", fakeText(t, "good")))(t)
	a := &asker{ctx: t.Context(), spec: &s, id: "an engine of before", tries: maxFailures, notify: func(text string) { t.Error(text) }}
	defer a.close()
	for range 2 {
		_, _, err := a.ask("position startpos", true)
		if !errors.Is(err, errOtherEngine) || !strings.Contains(err.Error(), `"fake", not "an engine of before"`) {
			t.Error(err)
		}
	}
}

func TestUnknownOptionIsRefused(t *testing.T) {
	_, err := playFake(context.Background(), t, fakeText(t, "good", "option.Contempt=3"), 2)
	if err == nil || !strings.Contains(err.Error(), `it has no option "Contempt": its options are Threads, Hash Size`) {
		t.Error(err)
	}
}

// TestOptionsTakeWhatTheEngineLists: an engine may ignore another value without a word.
func TestOptionsTakeWhatTheEngineLists(t *testing.T) {
	for line, values := range map[string][]struct{ value, want string }{
		"option name Hash type spin default 16 min 1 max 64":                {{"1", ""}, {"64", ""}, {"65", "a whole number from 1 to 64"}, {"x", "a whole number from 1 to 64"}, {"", "a value"}},
		"option name Use NNUE type check default true":                      {{"false", ""}, {"maybe", "true or false"}},
		"option name Style type combo default Solid var Solid var Very Odd": {{"very odd", ""}, {"Risky", "one of Solid, Very Odd"}},
		"option name Clear Hash type button":                                {{"", ""}, {"1", "no value: it is a button"}},
		"option name Log type string default <empty>":                       {{"a b", ""}, {"", "a value"}},
	} {
		o, ok := parseOption(line)
		for _, c := range values {
			if got := o.refusal(c.value); got != c.want || !ok {
				t.Errorf("%s: %q: want %q, got %q", line, c.value, c.want, got)
			}
		}
	}
	_, err := playFake(t.Context(), t, fakeText(t, "good", "option.hash size=65"), 2)
	if err == nil || !strings.Contains(err.Error(), "option hash size=65: want a whole number from 1 to 64") {
		t.Error(err)
	}
}

// TestDescendantsOfAnEngineDoNotBlock: a descendant that keeps the pipes of an engine open is
// no reason to wait beyond the timeout.
func TestDescendantsOfAnEngineDoNotBlock(t *testing.T) {
	start := time.Now()
	_, err := playFake(context.Background(), t, fakeText(t, "descendant", "timeout=5"), 2)
	if elapsed := time.Since(start); err == nil || elapsed > 5*time.Minute {
		t.Errorf("%v after %v", err, elapsed)
	}
}

// TestCancelledMatchEndsAtOnce: also while an engine hangs, and its process ends.
func TestCancelledMatchEndsAtOnce(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("cancelled by the test")
	go func() {
		for {
			if text, _ := os.ReadFile(pids); len(text) > 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(200 * time.Millisecond)
		cancel(cause)
	}()
	start := time.Now()
	_, err := playFake(ctx, t, fakeText(t, "hang", "arg="+pids), 4)
	if elapsed := time.Since(start); !errors.Is(err, cause) || elapsed > 5*time.Minute {
		t.Errorf("%v after %v", err, elapsed)
	}
	ucitest.MustEnd(t, pids)
}

func TestSpecs(t *testing.T) {
	s, err := parseSpec("uci:path=sh,arg=-x,arg=y z,depth=4,nodes=7,timeout=9,option.Clear Hash,option.Use NNUE=false")
	if err != nil || s.path != "sh" || len(s.args) != 2 || s.args[1] != "y z" || s.timeout != 9*time.Second || s.goCommand() != "go nodes 7 depth 4" {
		t.Errorf("%+v, %v", s, err)
	}
	if len(s.options) != 2 || setOption(s.options[0]) != "setoption name Clear Hash" || setOption(s.options[1]) != "setoption name Use NNUE value false" {
		t.Errorf("%+v", s.options)
	}
	enginetest.Conversation(t, "testdata/specs.txt", "Users get other errors", func(text string) string {
		_, err := parseSpec(strings.ReplaceAll(text, `\n`, "\n"))
		return fmt.Sprint(err)
	})
}

func TestReports(t *testing.T) {
	enginetest.Conversation(t, "testdata/reports.txt", "Lines of engines are read otherwise", func(line string) string {
		var r report
		for _, text := range strings.Split(line, `\n`) {
			r.read(text)
		}
		return fmt.Sprintf("nodes %d, score %d", r.nodes, r.score)
	})
	var r report
	if r.read(""); r != (report{}) {
		t.Errorf("an empty line: %+v", r)
	}
}

// TestEnginesOfTwoPlayersHaveTheirOwnLimits, though they are one engine in the plan.
func TestEnginesOfTwoPlayersHaveTheirOwnLimits(t *testing.T) {
	text := fakeText(t, "good")
	e := &Engine{game: encode.Chess(), spec: must.Get(specOf(encode.Chess(), "", text+",timeout=1"))(t), o: Options{Timeout: 9 * time.Second}}
	for more, want := range map[string]time.Duration{"": 9 * time.Second, ",timeout=30": 30 * time.Second} {
		same, ok := e.With(text + ",depth=3" + more)
		if !ok || same.spec.timeout != want || same.spec.depth != 3 {
			t.Errorf("%q: %t, %+v", more, ok, same)
		}
	}
}
