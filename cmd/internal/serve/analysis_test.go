package serve

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"selfplay/cmd/internal/networks"
	"selfplay/encode"
	"selfplay/internal/must"
	"selfplay/workers"
)

var limits = analysisLimits{workers: 1, waiting: 1, nodes: 200_000, time: 10 * time.Second, hash: 16}

// stored finds the networks that ship, and no file.
func stored() workers.Networks { return networks.Stored(func() []string { return nil }) }

func newAnalysis(l analysisLimits) (*analyst, http.Handler) {
	a, mux := newAnalyst(workers.Catalog{Games: encode.Games(), Players: workers.PlayerTypes()}, l, stored()), http.NewServeMux()
	for _, r := range a.routes() {
		mux.Handle(r.pattern, r.handler(slog.New(slog.DiscardHandler)))
	}
	return a, mux
}

func answerTo(h http.Handler, body string) (status int, answer string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/api/analysis", strings.NewReader(body)))
	return w.Code, w.Body.String()
}

// TestPlayersAnswerInEveryGame with a legal move, and those that search with what they found.
func TestPlayersAnswerInEveryGame(t *testing.T) {
	_, h := newAnalysis(limits)
	for _, g := range encode.Games() {
		for _, player := range []string{"random", "greedy", "ab", "ab:depth=2,multi=4", "ab:depth=1,exact=true", "mcts:sims=30", "mcts:sims=20,rollout=5"} {
			body, _ := json.Marshal(map[string]any{"game": g.Name, "player": player})
			status, text := answerTo(h, string(body))
			var a analysisAnswer
			if err := json.Unmarshal([]byte(text), &a); err != nil || status != 200 {
				t.Fatalf("%s %s: %d %s", g.Name, player, status, text)
			}
			if _, err := g.New("").ParseMove(moveIn(t, &g, a.Move.Action)); err != nil || a.Limited || a.Searched != (player != "random") {
				t.Errorf("%s %s: %s", g.Name, player, text)
			}
			if policy := strings.Contains(player, "multi") || strings.Contains(player, "mcts"); policy != (len(a.Policy) > 1) {
				t.Errorf("%s %s: policy %v", g.Name, player, a.Policy)
			}
		}
	}
}

// TestAnswersHaveDepthAndLine: the line begins with the best move and is legal.
func TestAnswersHaveDepthAndLine(t *testing.T) {
	_, h := newAnalysis(limits)
	for _, g := range encode.Games() {
		for _, player := range []string{"greedy", "ab:depth=4,hash=4", "ab:nodes=3000,hash=4,multi=3", "mcts:sims=200"} {
			body, _ := json.Marshal(map[string]any{"game": g.Name, "player": player})
			_, text := answerTo(h, string(body))
			var a analysisAnswer
			must.Do(t, json.Unmarshal([]byte(text), &a))
			if player == "greedy" {
				if a.Depth != 1 || a.Line != nil {
					t.Errorf("%s %s: %s", g.Name, player, text)
				}
				continue
			}
			if a.Depth < 2 || len(a.Line) < 2 || a.Line[0] != *a.Best {
				t.Errorf("%s %s: %s", g.Name, player, text)
			}
			pos := g.New("")
			for _, m := range a.Line {
				pos.Do(must.Get(g.Actions.Move(pos, m.Action))(t))
			}
		}
	}
}

// moveIn returns the text of an action at the start of a game.
func moveIn(t *testing.T, g *encode.Game, action uint16) string {
	t.Helper()
	pos := g.New("")
	m := must.Get(g.Actions.Move(pos, action))(t)
	return pos.FormatMove(m)
}

// TestSeedsAreTexts of whole numbers of 64 bits.
func TestSeedsAreTexts(t *testing.T) {
	_, h := newAnalysis(limits)
	for seed, want := range map[string]int{`"0"`: 200, `"18446744073709551615"`: 200, `"18446744073709551616"`: 400, `"-1"`: 400, `"x"`: 400, `7`: 400} {
		if status, text := answerTo(h, `{"game":"contrast","player":"random","seed":`+seed+`}`); status != want {
			t.Errorf("seed %s: %d %s, want %d", seed, status, text, want)
		}
	}
}

// TestAnswersAreThoseOfThePlayer: a search within the limits is the player's own, and a request
// gives the same answer every time.
func TestAnswersAreThoseOfThePlayer(t *testing.T) {
	_, h := newAnalysis(limits)
	const body = `{"game":"chess","player":"ab:nodes=3000,multi=3,net=none","play":["e2e4"]}`
	_, one := answerTo(h, body)
	_, two := answerTo(h, body)
	var a, b analysisAnswer
	if json.Unmarshal([]byte(one), &a) != nil || json.Unmarshal([]byte(two), &b) != nil {
		t.Fatal(one, two)
	}
	if a.Player != "ab:nodes=3000,multi=3,hard=32000,net=none" || a.Limited || a.Nodes != b.Nodes || a.Score != b.Score || a.Best.Text != b.Best.Text || a.Side != "black" {
		t.Errorf("%s, then %s", one, two)
	}
}

// TestAnswersThatAreNotLimitedAreThoseOfThePlayer: nodes, depth and score are those without the
// limits of the server, in every game. The other answers say that they are limited.
func TestAnswersThatAreNotLimitedAreThoseOfThePlayer(t *testing.T) {
	a, _ := newAnalysis(limits)
	for _, g := range encode.Games() {
		for _, player := range []string{"ab:depth=4", "ab:nodes=150000", "ab:depth=2,exact=true", "ab:hard=1000,depth=9"} {
			for _, position := range append([]string{""}, g.Samples...) {
				q := analysisRequest{Game: g.Name, Player: player}
				q.Text = position
				s := must.Get(a.prepare(&q))(t)
				got := must.Get(s.run(t.Context()))(t)
				if got.Limited || !got.Searched {
					continue
				}
				own := s.spec.NewPlayer(rand.NewPCG(0, 0), nil)
				var want workers.Decision
				own.Play(s.pos, rand.NewPCG(0, 0), &want)
				s.pos.Undo()
				explained := own.(workers.Explainer).Explain(s.pos, 1)
				if got.Nodes != want.Nodes || got.Depth != explained.Depth || got.Score != int(want.Score) {
					t.Errorf("%s, %s, %q: %d nodes, depth %d, score %d by %s; want %d, %d, %d", g.Name, player, position,
						got.Nodes, got.Depth, got.Score, got.Player, want.Nodes, explained.Depth, want.Score)
				}
			}
		}
	}
}

// TestWinChancesAreByTheModelOfThePlayer: of its games against itself, and by no other.
func TestWinChancesAreByTheModelOfThePlayer(t *testing.T) {
	_, h := newAnalysis(limits)
	const won = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1" // mate in one
	for _, c := range []struct{ player, position, model string }{
		{"ab:depth=1,hash=1,net=none", "", "ab:depth=1,net=none against itself"},
		{"ab:depth=3,net=none", "", "ab:depth=3,net=none against itself"},
		{"ab:net=none", "", "ab:nodes=1000,net=none against itself"},
		{"ab:nodes=1000,hash=1,net=none", "", "ab:nodes=1000,net=none against itself"},
		{"ab:nodes=1001,net=none", "", ""},
		{"ab:nodes=500,net=none", "", ""}, // its model is of games with exploratory moves
		{"ab:depth=60,net=none", "", ""},
		{"ab:depth=3,exact=true", "", ""},
		{"ab", "", "ab:nodes=1000,net=chess-g9 against itself"},
		{"ab:depth=4", "", ""},
		{"greedy", "", ""},
		{"mcts:sims=8", "", ""},
		{"ab:depth=2,exact=true", won, ""},
	} {
		body, _ := json.Marshal(map[string]any{"game": "chess", "player": c.player, "position": c.position})
		status, text := answerTo(h, string(body))
		var a analysisAnswer
		if err := json.Unmarshal([]byte(text), &a); err != nil || status != 200 {
			t.Fatalf("%s: %d %s", c.player, status, text)
		}
		if known := c.model != "" || c.position == won; a.Model != c.model || (a.WinChance != nil) != known {
			t.Errorf("%s: model %q, want %q: %s", c.player, a.Model, c.model, text)
		}
		if c.position == won && a.WinChance != nil && *a.WinChance != 1 {
			t.Errorf("%s: win chance %v of a proven win", c.player, *a.WinChance)
		}
		if strings.Contains(a.ScoreText, "win chance") != (c.model != "") {
			t.Errorf("%s: %s", c.player, a.ScoreText)
		}
	}
}

// TestHungryPlayersAreLimited in nodes and in time.
func TestHungryPlayersAreLimited(t *testing.T) {
	short := limits
	short.nodes, short.time = 1<<40, 500*time.Millisecond
	_, byNodes := newAnalysis(limits)
	_, byTime := newAnalysis(short)
	for _, player := range []string{
		"ab:depth=60", "ab:depth=30,exact=true", "ab:nodes=4000000000,hash=60000", "ab:mean=900000", "mcts:sims=60000,rollout=900",
		"mcts:sims=60000,cheap=50000,rollout=900",
	} {
		for name, h := range map[string]http.Handler{"nodes": byNodes, "time": byTime} {
			begin := time.Now()
			status, text := answerTo(h, `{"game":"chess","player":"`+player+`"}`)
			var a analysisAnswer
			if err := json.Unmarshal([]byte(text), &a); err != nil || status != 200 {
				t.Fatalf("%s: %d %s", player, status, text)
			}
			if name == "nodes" && !a.Limited || name == "nodes" && strings.HasPrefix(player, "ab") && a.Nodes > 3*uint32(limits.nodes) {
				t.Errorf("%s by %s: %s", player, name, text)
			}
			if taken := time.Since(begin); taken > time.Minute {
				t.Errorf("%s by %s: %v", player, name, taken)
			}
		}
	}
}

// endless asks for a search that completes no iteration in practice.
const endless = `{"game":"chess","player":"ab","position":"k1q1q1q1/8/1Q1Q1Q1Q/q1q1q1q1/1Q1Q1Q1Q/q1q1q1q1/1n1Q1Q1Q/K1B1q1q1 w - - 0 1"}`

// TestSearchesEndInTime: one without a move is an error, and the next one has its worker.
func TestSearchesEndInTime(t *testing.T) {
	short := limits
	short.time = 100 * time.Millisecond
	_, h := newAnalysis(short)
	if status, text := answerTo(h, endless); status != http.StatusServiceUnavailable || !strings.Contains(text, "no move in time") {
		t.Errorf("%d %s", status, text)
	}
	if status, text := answerTo(h, `{"game":"chess","player":"random"}`); status != 200 {
		t.Errorf("then %d %s", status, text)
	}
}

// TestSearchesEndWithTheirClients, whose worker is free again.
func TestSearchesEndWithTheirClients(t *testing.T) {
	slow := limits
	slow.time = time.Hour
	a, h := newAnalysis(slow)
	var q analysisRequest
	must.Do(t, json.Unmarshal([]byte(endless), &q))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := a.ask(ctx, &q); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if status, text := answerTo(h, `{"game":"chess","player":"random"}`); status != 200 {
		t.Errorf("then %d %s", status, text)
	}
}

// TestGamesThatAreOverHaveNoMove but a result.
func TestGamesThatAreOverHaveNoMove(t *testing.T) {
	_, h := newAnalysis(limits)
	status, text := answerTo(h, `{"game":"chess","player":"ab","position":"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}`)
	if status != 200 || !strings.Contains(text, `"result":"white","reason":"checkmate"`) || strings.Contains(text, `"move"`) {
		t.Errorf("%d %s", status, text)
	}
}

// TestRequestsStartNoProgram: only the command line names UCI engines.
func TestRequestsStartNoProgram(t *testing.T) {
	_, h := newAnalysis(limits)
	if status, text := answerTo(h, `{"game":"chess","player":"uci:path=sh,nodes=1"}`); status != 400 || !strings.Contains(text, "no UCI engines here") {
		t.Errorf("%d %s", status, text)
	}
}

// TestRequestsWaitInABoundedQueue: the others are told to come again.
func TestRequestsWaitInABoundedQueue(t *testing.T) {
	a, h := newAnalysis(limits)
	a.workers <- struct{}{} // a search that does not end
	a.seats <- struct{}{}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	const body = `{"game":"chess","player":"random"}`
	if _, err := a.ask(ctx, &analysisRequest{Game: "chess", Player: "random"}); err == nil {
		t.Error("a request without a worker was answered")
	}
	a.seats <- struct{}{}
	if status, text := answerTo(h, body); status != http.StatusServiceUnavailable {
		t.Errorf("%d %s", status, text)
	}
	<-a.seats
	<-a.seats
	<-a.workers
	if status, text := answerTo(h, body); status != 200 {
		t.Errorf("%d %s", status, text)
	}
}

// TestRequestsWithoutAPlaceReadNoNetwork: a parsed network takes megabytes.
func TestRequestsWithoutAPlaceReadNoNetwork(t *testing.T) {
	read := 0
	find := func(reference string) ([]byte, error) {
		read++
		return stored()(reference)
	}
	a := newAnalyst(workers.Catalog{Games: encode.Games(), Players: workers.PlayerTypes()}, limits, find)
	for range cap(a.seats) {
		a.seats <- struct{}{}
	}
	_, err := a.ask(t.Context(), &analysisRequest{Game: "contrast", Player: "greedy:net=contrast"})
	if !errors.Is(err, errBusy) || read != 0 {
		t.Errorf("error %v, %d networks read", err, read)
	}
}

func FuzzAnalyses(f *testing.F) {
	f.Add(`{"game":"chess","player":"ab:depth=1"}`)
	f.Add(`{"game":"contrast","player":"random","board_array":[1],"side":"black"}`)
	f.Add(`{"game":"cotulenh","player":"mcts:sims=3","play":["x"]}`)
	small := limits
	small.nodes = 100
	_, h := newAnalysis(small)
	f.Fuzz(func(t *testing.T, body string) {
		if status, text := answerTo(h, body); status >= 500 || !json.Valid([]byte(text)) {
			t.Errorf("%d %s", status, text)
		}
	})
}
