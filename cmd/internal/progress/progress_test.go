package progress

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"selfplay/datasets"
)

func TestLogLines(t *testing.T) {
	var stderr bytes.Buffer
	p := New("playing", 1000, slog.New(slog.NewTextHandler(&stderr, nil)), &stderr, false, "game", "nim", "seed", 9)
	if p.bar != nil {
		t.Fatal("there is a bar without a terminal")
	}
	p.Notify(datasets.Event{Kind: datasets.EventResumed, Games: 200})
	p.Notify(datasets.Event{Kind: datasets.EventCommitted, Games: 100})
	p.line(100, 5e6, 10*time.Second)
	for _, want := range []string{
		"msg=start games=1000 games_done=200 game=nim seed=9",
		"msg=playing games=300 of=1000 shards_made=1 plies_per_s=5000000 eta=1m10s",
	} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("no %q in\n%s", want, stderr.String())
		}
	}
	if p.Resumed().Games != 200 {
		t.Errorf("resumed %+v", p.Resumed())
	}
}

func TestStartWithoutDatasetReportsNoEarlierGames(t *testing.T) {
	var stderr bytes.Buffer
	New("converting", 1000, slog.New(slog.NewTextHandler(&stderr, nil)), &stderr, false, "game", "nim").Start()
	if !strings.Contains(stderr.String(), "msg=start games=1000 game=nim\n") {
		t.Error(stderr.String())
	}
}

func TestNothingIsMissingFromALargerDataset(t *testing.T) {
	p := New("playing", 10, slog.New(slog.DiscardHandler), nil, false)
	p.Notify(datasets.Event{Kind: datasets.EventResumed, Games: 50})
	if p.missing() != 0 || p.eta(3, time.Second) != 0 {
		t.Errorf("missing %d games, for %v", p.missing(), p.eta(3, time.Second))
	}
}
