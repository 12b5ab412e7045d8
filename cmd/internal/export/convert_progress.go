package export

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/encode"
)

// counter counts games and rows for a progress.
type counter struct{ games, plies atomic.Uint64 }

// Progress returns what is done.
func (n *counter) Progress() (games, plies uint64) { return n.games.Load(), n.plies.Load() }

// follow shows how far the rows of shards are until stop is called.
func (n *counter) follow(c *cli.Context, what string, shards []*datasets.Commit, start ...any) (p *progress.Progress, stop func()) {
	games := uint64(0)
	for _, commit := range shards {
		games += commit.Games
	}
	p = progress.New(what, games, app.Log(c), c.App.ErrWriter, app.Quiet(c), start...)
	p.Start()
	return p, p.Watch(n)
}

// shard begins a shard.
func (n *counter) shard(c *datasets.Commit) *shardCounter { return &shardCounter{n: n, c: c} }

// shardCounter counts one shard.
type shardCounter struct {
	n     *counter
	c     *datasets.Commit
	games uint64
}

// rows counts rows; their games are numbered.
func (s *shardCounter) rows(t *encode.Table) {
	if t.Rows == 0 {
		return
	}
	s.n.plies.Add(uint64(t.Rows))
	game := binary.LittleEndian.Uint64(t.Cell(encode.ColumnNamed(t.Columns, encode.GameColumn), t.Rows-1))
	s.to(game - s.c.FirstGame + 1)
}

// end counts the games behind the last row.
func (s *shardCounter) end() { s.to(s.c.Games) }

func (s *shardCounter) to(games uint64) {
	s.n.games.Add(games - s.games)
	s.games = games
}
