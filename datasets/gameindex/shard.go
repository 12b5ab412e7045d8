package gameindex

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
)

// shard holds the games of a committed shard, column by column. It never changes.
type shard struct {
	commit         *record.Commit
	sum            string // of its games files; see gamesSum
	result, reason []uint8
	plies          []uint16
	drop           []uint16    // in 10,000ths, unknown if not known
	dropPly        []uint16    // unknown unless drop is above 0
	lead           [2][]uint16 // largest lead in material of each side; unknown in a game without
	players        []uint32    // numbers of pairs
	opening        [OpeningPlies][]uint16
}

// newShard returns a shard with room for its games.
func newShard(c *record.Commit) *shard {
	n := c.Games
	s := &shard{
		commit: c, sum: gamesSum(c), result: make([]uint8, n), reason: make([]uint8, n), plies: make([]uint16, n),
		drop: make([]uint16, n), dropPly: make([]uint16, n), players: make([]uint32, n),
		lead: [2][]uint16{make([]uint16, n), make([]uint16, n)},
	}
	for ply := range s.opening {
		s.opening[ply] = make([]uint16, n)
	}
	return s
}

// games returns the number of games.
func (s *shard) games() int { return len(s.result) }

// row returns the place of a game, given the cell with its number.
func (s *shard) row(cell []byte) (int, error) {
	game := binary.LittleEndian.Uint64(cell)
	if row := game - s.commit.FirstGame; row < uint64(s.games()) {
		return int(row), nil
	}
	return 0, fmt.Errorf("%w: game %d is not of the shard", datasets.ErrCorrupt, game)
}

// same reports whether the shard holds the games of a commit record.
func (s *shard) same(c *record.Commit) bool {
	return s.commit.Shard == c.Shard && s.commit.Games == c.Games && s.sum == gamesSum(c)
}

// gamesSum returns the SHA-256 of the games files of a shard.
func gamesSum(c *record.Commit) string {
	var sums []string
	for _, p := range c.Parts() {
		sums = append(sums, p.Files[plan.GamesFile].SHA256)
	}
	return strings.Join(sums, " ")
}

// state is what queries see of an index. It never changes.
type state struct {
	shards  []*shard // in the order of their numbers
	players players
	games   int
	status  Status
}

// newState returns a state of shards.
func newState(shards []*shard, p players) *state {
	s := &state{shards: shards, players: p}
	for _, sh := range shards {
		s.games += sh.games()
	}
	return s
}

// OpeningPlies is the number of actions that the index keeps of each game.
const OpeningPlies = 6

// Game is what the index knows of a game.
type Game struct {
	Game    uint64 // number in the dataset
	Shard   int
	Row     int // its place among the games of the shard
	Players [2]string
	engine.Outcome
	Plies   int
	Drop    int // largest loss of expected result from a ply to the next, 0 to 10,000; -1 if unknown
	DropPly int // the ply that lost it; 0 if Drop is not above 0
	// Leads are the largest leads in material of the side that moves first and of the other, at most
	// 32,767; -1 in a game without material.
	Leads [2]int
	// Opening is the first actions of the game, up to OpeningPlies. It is empty for a game that
	// begins at a position of its own.
	Opening []uint16
}

// unknown stands for a drop or a lead that is not known, for the ply of no drop, and for an action
// after the end of a game.
const unknown = 0xffff

// game returns row row of a shard.
func (s *state) game(sh *shard, row int) Game {
	g := Game{
		Game: sh.commit.FirstGame + uint64(row), Shard: sh.commit.Shard, Row: row, Players: s.players.pair(sh.players[row]),
		Outcome: engine.Outcome{Result: engine.Result(sh.result[row]), Reason: engine.Reason(sh.reason[row])}, Plies: int(sh.plies[row]),
		Drop: -1, Leads: [2]int{-1, -1},
	}
	for side := range g.Leads {
		if lead := sh.lead[side][row]; lead != unknown {
			g.Leads[side] = int(lead)
		}
	}
	if d := sh.drop[row]; d != unknown {
		g.Drop = int(d)
	}
	if ply := sh.dropPly[row]; ply != unknown {
		g.DropPly = int(ply)
	}
	for ply := range min(OpeningPlies, g.Plies) {
		if sh.opening[ply][row] == unknown {
			break
		}
		g.Opening = append(g.Opening, sh.opening[ply][row])
	}
	return g
}

// pair is a pair of names of players, as indexes of names. The first moves first.
type pair [2]uint32

// players numbers pairs of players. Numbers are given in order and never change, so the slices
// only grow: a state keeps the ones of its time.
type players struct {
	names []string
	pairs []pair
}

// pair returns the names of a pair.
func (p *players) pair(id uint32) [2]string {
	of := p.pairs[id]
	return [2]string{p.names[of[0]], p.names[of[1]]}
}

// numbering gives numbers to pairs. One goroutine owns it.
type numbering struct {
	players
	name map[string]uint32
	id   map[pair]uint32
}

func newNumbering(p players) *numbering {
	n := &numbering{players: p, name: make(map[string]uint32, len(p.names)), id: make(map[pair]uint32, len(p.pairs))}
	for i, name := range p.names {
		n.name[name] = uint32(i)
	}
	for i, of := range p.pairs {
		n.id[of] = uint32(i)
	}
	return n
}

// number returns the number of a pair of names. It copies new ones.
func (n *numbering) number(first, second []byte) uint32 {
	of := pair{n.nameID(first), n.nameID(second)}
	id, found := n.id[of]
	if !found {
		id = uint32(len(n.pairs))
		n.pairs = append(n.pairs, of)
		n.id[of] = id
	}
	return id
}

func (n *numbering) nameID(name []byte) uint32 {
	id, found := n.name[string(name)]
	if !found {
		id = uint32(len(n.names))
		n.names = append(n.names, string(name))
		n.name[n.names[id]] = id
	}
	return id
}

// adopt returns the numbers here of the pairs of another numbering.
func (n *numbering) adopt(p *players) []uint32 {
	ids := make([]uint32, len(p.pairs))
	for i, of := range p.pairs {
		ids[i] = n.number([]byte(p.names[of[0]]), []byte(p.names[of[1]]))
	}
	return ids
}

// Column is a column of the index, to sort by or to count.
type Column uint8

// The columns.
const (
	GameNumber   Column = 0
	Result       Column = 1
	Reason       Column = 2
	Plies        Column = 3
	Drop         Column = 4
	DropPly      Column = 5
	LeadFirst    Column = 6
	LeadSecond   Column = 7
	PlayerFirst  Column = 8
	PlayerSecond Column = 9
)

// column describes a column. builder.add makes its values.
type column struct {
	name    string // in addresses and in the index file
	title   string // for people
	fails   uint8  // the condition of filters on it
	unknown bool   // whether the value unknown stands for none
	kind    encode.Kind
	values  func(s *shard) any // of kind, one for each game
}

// columns describes each Column.
var columns = [...]column{
	GameNumber: { // follows from the place of a game: a shard has no values
		name: "game", title: "Game", fails: failsPlace,
		values: func(*shard) any { return nil },
	},
	Result: {
		name: "result", title: "Result", fails: failsResult,
		kind: encode.Uint8, values: func(s *shard) any { return s.result },
	},
	Reason: {
		name: "reason", title: "Reason", fails: failsReason,
		kind: encode.Uint8, values: func(s *shard) any { return s.reason },
	},
	Plies: {
		name: "plies", title: "Plies", fails: failsPlies,
		kind: encode.Uint16, values: func(s *shard) any { return s.plies },
	},
	Drop: {
		name: "drop", title: "Largest drop of the expected result", fails: failsDrop, unknown: true,
		kind: encode.Uint16, values: func(s *shard) any { return s.drop },
	},
	DropPly: {
		name: "drop_ply", title: "Ply of the largest drop", unknown: true,
		kind: encode.Uint16, values: func(s *shard) any { return s.dropPly },
	},
	LeadFirst: {
		name: "lead_first", title: "Largest lead of the first side", fails: failsLead, unknown: true,
		kind: encode.Uint16, values: func(s *shard) any { return s.lead[engine.First] },
	},
	LeadSecond: {
		name: "lead_second", title: "Largest lead of the second side", fails: failsLead, unknown: true,
		kind: encode.Uint16, values: func(s *shard) any { return s.lead[engine.Second] },
	},
	PlayerFirst:  {name: "player_first", title: "First player", fails: failsPlayers, kind: pairs.kind, values: pairs.values},
	PlayerSecond: {name: "player_second", title: "Second player", fails: failsPlayers, kind: pairs.kind, values: pairs.values},
}

// pairs describes the pairs of players of games.
var pairs = column{name: "players", kind: encode.Uint32, values: func(s *shard) any { return s.players }}

// shardColumns are the columns that a shard has, in memory and in the index file.
var shardColumns = append(append(slices.Clone(columns[Result:PlayerFirst]), pairs), openingColumns()...)

func openingColumns() (list []column) {
	for ply := range OpeningPlies {
		name := fmt.Sprint("opening_", ply+1)
		list = append(list, column{name: name, kind: encode.Uint16, values: func(s *shard) any { return s.opening[ply] }})
	}
	return list
}

// String returns the name of the column, as addresses use it.
func (c Column) String() string { return columns[c].name }

// Title returns the name of the column for people.
func (c Column) Title() string { return columns[c].title }

// Columns returns the names of all columns, indexed by Column.
func Columns() (names []string) {
	for _, c := range columns {
		names = append(names, c.name)
	}
	return names
}

// ColumnNamed returns the column with a name.
func ColumnNamed(name string) (Column, error) {
	names := Columns()
	if i := slices.Index(names, name); i >= 0 {
		return Column(i), nil
	}
	return 0, fmt.Errorf("unknown column %q: want one of %q", name, names)
}
