package gameindex

import (
	"fmt"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

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
