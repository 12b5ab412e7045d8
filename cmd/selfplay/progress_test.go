package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"selfplay/datasets"
)

func TestProgressLine(t *testing.T) {
	var stderr bytes.Buffer
	j := &job{task: &task{plan: datasets.Plan{Game: "nim", Seed: 9}}, out: "there", games: 1000, workers: 3}
	p := newProgress(j, slog.New(slog.NewTextHandler(&stderr, nil)), &stderr, false)
	if p.bar != nil {
		t.Fatal("there is a bar without a terminal")
	}
	p.notify(datasets.Event{Kind: datasets.Resumed, Games: 200})
	p.notify(datasets.Event{Kind: datasets.Committed, Games: 100})
	p.line(100, 5e6, 10*time.Second)
	for _, want := range []string{
		"msg=start game=nim games=1000 games_there=200 seed=9 workers=3 out=there",
		"msg=playing games=300 of=1000 shards_made=1 plies_per_s=5000000 eta=1m10s",
	} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("no %q in\n%s", want, stderr.String())
		}
	}
}

func TestProgressOfMoreThanWasAskedFor(t *testing.T) {
	p := newProgress(&job{task: new(task), games: 10}, slog.New(slog.DiscardHandler), nil, false)
	p.notify(datasets.Event{Kind: datasets.Resumed, Games: 50})
	if p.missing() != 0 || p.eta(3, time.Second) != 0 {
		t.Errorf("missing %d games, for %v", p.missing(), p.eta(3, time.Second))
	}
}
