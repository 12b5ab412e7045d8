package workers

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// endless is a position in which alpha-beta search does not end in practice.
const endless = "k1q1q1q1/8/1Q1Q1Q1Q/q1q1q1q1/1Q1Q1Q1Q/q1q1q1q1/1n1Q1Q1Q/K1B1q1q1 w - - 0 1"

// endlessSeries returns a series of chess that begins there.
func endlessSeries(t *testing.T, player string) Series {
	t.Helper()
	s := searchSeries(t, encode.Chess(), player)
	s.MaxPlies, s.Opening, s.Exploration = 1, Opening{Book: []string{endless}}, Exploration{}
	return s
}

// errTimeIsOver is the cause of the contexts of these tests.
var errTimeIsOver = errors.New("the time is over")

// shortContext returns a context that ends while a search of endless does not.
func shortContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errTimeIsOver)
	t.Cleanup(cancel)
	return ctx
}

// TestEndOfTheContextAbortsSearches: the game ends with its cause, at its last ply too.
func TestEndOfTheContextAbortsSearches(t *testing.T) {
	explored, scored, rescored, all := endlessSeries(t, "ab"), endlessSeries(t, "random"), endlessSeries(t, "ab"), Selection{rule: selectAll}
	explored.Exploration = Exploration{Moves: 1, Among: 1}
	scored.Opening.MaxScore, scored.MaxPlies = 100, 0
	rescored.Rescore = &all
	played := playRecords(t, endlessSeries(t, "random"), 1, 0)[0]
	for name, s := range map[string]Series{
		"of a player":           endlessSeries(t, "ab"),
		"at an explored ply":    explored,
		"that scores the start": scored,
		"of a played game":      rescored,
	} {
		pr := &job{ctx: shortContext(t)}
		pr.rec.CopyFrom(played)
		if err := newWorker(&s).makeRecord(pr); !errors.Is(err, errTimeIsOver) {
			t.Errorf("search %s: error %v, want %v", name, err, errTimeIsOver)
		}
	}
}

// TestAbortedGamesAreNotDelivered: neither to the journal nor to the shards.
func TestAbortedGamesAreNotDelivered(t *testing.T) {
	p := startPool(t, endlessSeries(t, "ab"), 2)
	deliver := func(r *engine.Record) error { t.Errorf("delivered %+v", r); return nil }
	if err := p.Play(shortContext(t), Games(0, 50), enginetest.Finished(deliver), deliver); !errors.Is(err, errTimeIsOver) {
		t.Errorf("error %v, want %v", err, errTimeIsOver)
	}
}

// TestAbortedGamesDoNotChangeTheNext game of their worker.
func TestAbortedGamesDoNotChangeTheNext(t *testing.T) {
	s := endlessSeries(t, "ab")
	s.Opening.Book = append(s.Opening.Book, encode.Chess().New("").String())
	s.MaxPlies = 10
	w := newWorker(&s)
	w.reset()
	aborted := uint64(slices.Index(w.opener.order, 0))
	pr := &job{ctx: shortContext(t), game: aborted}
	if err := w.makeRecord(pr); !errors.Is(err, errTimeIsOver) {
		t.Errorf("error %v, want %v", err, errTimeIsOver)
	}
	pr.ctx, pr.game = t.Context(), 1-aborted
	must.Do(t, w.makeRecord(pr))
	if want := playRecords(t, s, 1, 1-aborted)[0]; recordText(&pr.rec) != recordText(want) {
		t.Errorf("got %+v, want %+v", pr.rec, want)
	}
}
