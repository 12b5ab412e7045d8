package positions

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/internal/must"
	"selfplay/workers"
)

// newSession returns a session of a player with a batch of n positions.
func newSession(t *testing.T, g encode.Game, player string, threads, n int) *session {
	t.Helper()
	s := &session{ctx: t.Context(), beat: 10 * time.Millisecond, config: Config{Game: g, Workers: threads}, out: new(bytes.Buffer), batch: newBatch(t, g, uint32(n), flagMover)}
	s.layout = s.batch.layout
	if player != "" {
		spec := must.Get(workers.ParsePlayer(&g.Game, player))(t)
		s.config.Player = &spec
	}
	return s
}

// searchBody returns the body of a search: of texts, or of positions of the batch.
func searchBody(flags uint32, seeds []uint64, rest []byte) (body []byte) {
	body = binary.LittleEndian.AppendUint32(body, uint32(len(seeds)))
	body = binary.LittleEndian.AppendUint32(body, flags)
	for _, seed := range seeds {
		body = binary.LittleEndian.AppendUint64(body, seed)
	}
	return append(body, rest...)
}

// indexes returns positions of a batch as a search names them.
func indexes(list ...uint32) (body []byte) {
	for _, i := range list {
		body = binary.LittleEndian.AppendUint32(body, i)
	}
	return body
}

// resultsOf searches and returns the body of the results.
func resultsOf(t *testing.T, s *session, body []byte) []byte {
	t.Helper()
	s.body = body
	frame, refused, err := s.search()
	if refused != nil || err != nil {
		t.Fatal(refused, err)
	}
	return slices.Clone(frame[headerSize:])
}

// someTexts returns positions of random games.
func someTexts(t *testing.T, g encode.Game, n int) (texts []string) {
	b := newBatch(t, g, 1, flagRestart)
	for draw := range n {
		texts = append(texts, b.seats[0].pos.String())
		mustStep(t, b, drawStep(b, nil, draw))
	}
	return texts
}

// TestFindingsDependOnThePositionAlone: not on those beside it, on earlier searches, or on the number of goroutines.
func TestFindingsDependOnThePositionAlone(t *testing.T) {
	for _, g := range encode.Games() {
		texts := someTexts(t, g, 24)
		for _, player := range []string{"ab:nodes=200", "ab:nodes=2000,hash=1", "ab:depth=2,hash=1,multi=3,temp=50", "mcts:sims=20,noise=0.25,temp=1", "random", "0.5*random+0.5*greedy"} {
			seeds := make([]uint64, len(texts))
			for i := range seeds {
				seeds[i] = uint64(i % 3)
			}
			many := newSession(t, g, player, 3, 1)
			all := resultsOf(t, many, searchBody(flagMover, seeds, []byte(strings.Join(texts, "\n")+"\n")))
			again := resultsOf(t, many, searchBody(flagMover, seeds, []byte(strings.Join(texts, "\n")+"\n")))
			if !bytes.Equal(all, again) {
				t.Fatalf("%s %s: another search finds something else", g.Name, player)
			}
			one, list := newSession(t, g, player, 1, 1), make([]searchResult, 0, len(texts))
			for i := range texts {
				s, found := one, make([]searchResult, 1)
				q := &query{mover: true, seeds: seeds[i : i+1], texts: texts[i : i+1]}
				must.Do(t, s.think(q, found))
				list = append(list, found[0])
			}
			if single := appendResults(nil, list)[headerSize:]; !bytes.Equal(all, single) {
				t.Errorf("%s %s: positions alone give something else", g.Name, player)
			}
		}
	}
}

// TestFindingsAreThoseOfThePlayer, with actions as the side to move sees them.
func TestFindingsAreThoseOfThePlayer(t *testing.T) {
	g := encode.Chess()
	s := newSession(t, g, "ab:depth=3,multi=4", 2, 1)
	texts := []string{"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1"}
	list := make([]searchResult, 2)
	must.Do(t, s.think(&query{mover: true, seeds: make([]uint64, 2), texts: texts}, list))
	if list[0].text != "a1a8" || list[1].text != "a8a1" || list[0].best != list[1].best || list[0].score != list[1].score || len(list[0].policy) != 4 {
		t.Errorf("%+v", list)
	}
	must.Do(t, s.think(&query{seeds: make([]uint64, 2), texts: texts}, list))
	if list[1].best != g.Actions.Flip(list[0].best) {
		t.Errorf("%+v", list)
	}
}

// TestSearchesOfTheBatch leave its positions as they are, and know their history.
func TestSearchesOfTheBatch(t *testing.T) {
	for _, g := range append(encode.Games(), encodetest.TicTacToe()) {
		player := "ab:depth=1"
		if g.Name == encodetest.TicTacToe().Name {
			player = "random"
		}
		s := newSession(t, g, player, 2, 5)
		for draw := range 3 {
			mustStep(t, s.batch, drawStep(s.batch, nil, draw))
		}
		before := bytesOf(s.batch)
		body := resultsOf(t, s, searchBody(flagHeld, make([]uint64, 2), indexes(1, 4)))
		action := binary.LittleEndian.Uint16(body[4+4*3+4*2+2:])
		if legal := s.batch.legal(4); !slices.Contains(legal, action) {
			t.Errorf("%s: %d of %v", g.Name, action, legal)
		}
		if !bytes.Equal(bytesOf(s.batch), before) {
			t.Errorf("%s: a search has moved a position", g.Name)
		}
	}
}

// TestMovesAfterATextAreItsHistory: a third repetition ends the game.
func TestMovesAfterATextAreItsHistory(t *testing.T) {
	s := newSession(t, encode.Chess(), "greedy", 1, 1)
	shuffle, list := "\tg1f3\tg8f6\tf3g1\tf6g8", make([]searchResult, 2)
	texts := []string{shuffle, shuffle + shuffle}
	must.Do(t, s.think(&query{seeds: make([]uint64, 2), texts: texts}, list))
	if list[0].over || !list[1].over {
		t.Errorf("%+v", list)
	}
}

// TestMovesOfEveryGameAreAHistory: those of Contrast contain spaces.
func TestMovesOfEveryGameAreAHistory(t *testing.T) {
	for _, g := range encode.Games() {
		s, p, text := newSession(t, g, "greedy", 1, 1), g.New(""), ""
		for _, i := range []int{0, 1, 2, 3, 4} {
			moves := p.Moves(nil)
			m := moves[i*7%len(moves)]
			text += "\t" + p.FormatMove(m)
			p.Do(m)
		}
		list := make([]searchResult, 1)
		if err := s.think(&query{seeds: make([]uint64, 1), texts: []string{text}}, list); err != nil || list[0].over {
			t.Errorf("%s: %q: %v, over %t", g.Name, text, err, list[0].over)
		}
	}
}

// TestGamesThatAreOverHaveNoFindings.
func TestGamesThatAreOverHaveNoFindings(t *testing.T) {
	s := newSession(t, encode.Chess(), "greedy", 1, 1)
	list := make([]searchResult, 1)
	must.Do(t, s.think(&query{seeds: make([]uint64, 1), texts: []string{"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}}, list))
	if f := list[0]; !f.over || f.text != "" || f.nodes != 0 {
		t.Errorf("%+v", f)
	}
}

// TestGamesThatWereCutOffAreOver where they stay; where they begin again the first position is searched.
func TestGamesThatWereCutOffAreOver(t *testing.T) {
	for _, flags := range []uint32{flagMover, flagMover | flagRestart} {
		s, list := newSession(t, encode.Chess(), "greedy", 1, 1), make([]searchResult, 1)
		s.batch = newBatch(t, encode.Chess(), 1, flags)
		s.batch.limit = 1
		mustStep(t, s.batch, drawStep(s.batch, nil, 1))
		q, refused := readQuery(searchBody(flagHeld, make([]uint64, 1), indexes(0)), s.batch)
		if refused != nil {
			t.Fatal(refused.text)
		}
		must.Do(t, s.think(q, list))
		if f := list[0]; f.over != (flags&flagRestart == 0) || f.over != (f.text == "") {
			t.Errorf("flags %d: %+v", flags, f)
		}
	}
}

func TestWrongSearches(t *testing.T) {
	seed := []uint64{1}
	for _, c := range []struct {
		player string
		body   []byte
		want   string
	}{
		{"", searchBody(0, seed, []byte("\n")), "without a player"},
		{"random", nil, "a search of 0 bytes"},
		{"random", searchBody(0, nil, nil), "a search of 0 positions"},
		{"random", searchBody(1, seed, []byte("\n")), "flags 1"},
		{"random", searchBody(0, seed, nil)[:12], "a search of 1 positions, flags 0, 12 bytes"},
		{"random", searchBody(0, seed, []byte("a\nb\n")), "2 texts: want 1"},
		{"random", searchBody(0, seed, []byte("nonsense\n")), `position 0: `},
		{"random", searchBody(0, seed, []byte("\te2e4\te2e4\n")), `position 0: play "e2e4"`},
		{"random", searchBody(flagHeld, seed, nil), "0 bytes of indexes"},
		{"random", searchBody(flagHeld, seed, indexes(2)), "position 2 after -1"},
		{"random", searchBody(flagHeld, []uint64{1, 2}, indexes(1, 1)), "position 1 after 1"},
	} {
		s := newSession(t, encode.Chess(), c.player, 1, 2)
		s.body = c.body
		if _, refused, err := s.search(); err != nil || refused == nil || !strings.Contains(refused.text, c.want) {
			t.Errorf("%q: %v, %v", c.body, refused, err)
		}
	}
}

// stuck is a player that finds no move, or panics.
func stuck(panics bool) workers.PlayerSpec {
	return workers.ExternalPlayer("stuck", false, func(search.Abort) workers.External { return stuckPlayer{panics: panics} })
}

type stuckPlayer struct {
	workers.External
	panics bool
}

func (p stuckPlayer) Play(engine.Position, *rand.PCG, *workers.Decision) bool {
	if p.panics {
		panic("no such piece")
	}
	return false
}

func TestPlayersWithoutAMoveAreRefused(t *testing.T) {
	for _, panics := range []bool{false, true} {
		s, spec := newSession(t, encode.Chess(), "", 2, 1), stuck(panics)
		s.config.Player, s.body = &spec, searchBody(0, []uint64{1}, []byte("\n"))
		_, refused, err := s.search()
		if panics != (err != nil) || !panics && (refused == nil || refused.index != 0) {
			t.Errorf("%v, %v", refused, err)
		}
	}
}

// TestLongSearchesSayThatTheyGoOn.
func TestLongSearchesSayThatTheyGoOn(t *testing.T) {
	s := newSession(t, encode.Chess(), "ab:nodes=4000000000", 1, 1)
	out := &closing{after: 2}
	s.out, s.body = out, searchBody(0, []uint64{1}, []byte("\n"))
	if _, _, err := s.search(); err == nil || out.frames < 2 {
		t.Errorf("%v after %d frames", err, out.frames)
	}
}

// closing is a writer that nobody reads after some frames.
type closing struct{ frames, after int }

func (w *closing) Write(b []byte) (int, error) {
	w.frames++
	if w.frames > w.after {
		return 0, context.Canceled
	}
	return len(b), nil
}
