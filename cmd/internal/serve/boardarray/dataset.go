package boardarray

import (
	"fmt"
	"strconv"
	"strings"

	"selfplay/cmd/internal/serve/web"
)

// Ref names a position of a game of a dataset: {dataset}:{game}@{ply}.
type Ref struct {
	Dataset string
	Game    uint64
	Ply     int // number of plies before the position; Last for the last position
}

// Last is the ply of the last position of a game.
const Last = -1

// String returns the name that ParseRef parses.
func (r Ref) String() string {
	if r.Ply == Last {
		return fmt.Sprintf("%s:%d", r.Dataset, r.Game)
	}
	return fmt.Sprintf("%s:%d@%d", r.Dataset, r.Game, r.Ply)
}

// ParseRef parses the name of a position. The ply may be missing.
func ParseRef(text string) (r Ref, err error) {
	at := strings.LastIndexByte(text, ':')
	if at <= 0 {
		return r, web.BadRequest("position %q: want DATASET:GAME@PLY", text)
	}
	game, ply, found := strings.Cut(text[at+1:], "@")
	r = Ref{Dataset: text[:at], Ply: Last}
	if r.Game, err = strconv.ParseUint(game, 10, 63); err == nil && found {
		var n uint64
		n, err = strconv.ParseUint(ply, 10, 16)
		r.Ply = int(n)
	}
	if err != nil {
		return r, web.BadRequest("position %q: want DATASET:GAME@PLY with numbers", text)
	}
	return r, nil
}
