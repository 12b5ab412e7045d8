package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Record is one finished game: everything that a training row needs and a replay
// cannot recompute. Rows are a pure function of the record.
//
// Actions has one entry per ply. Best, MoveRanks, Scores, Nodes and PolicySize also
// have one entry per ply if either player searched; otherwise they are empty. Nodes is
// 0 at a ply without a search. PolicySize is the number of entries of PolicyAction and
// PolicyWeight that belong to each ply.
type Record struct {
	Game    uint64 // number of the game in the dataset, from 0
	Start   string // text of the first position, "" for the start of the game
	Actions []uint16

	Best      []uint16 // action of the best move found; the played action if the ply was not searched
	MoveRanks []uint8  // rank of the played move in the order of the search: RankBest, 1 for the second best, and so on, or RankRandom
	Scores    []int16  // root score from the view of the side to move
	Nodes     []uint32 // nodes searched

	PolicySize   []uint16
	PolicyAction []uint16
	PolicyWeight []uint16

	// What an earlier search found, if another player has searched the game again since and
	// this was kept: one entry per ply, as in Best, Scores and Nodes. Otherwise empty.
	OldBest   []uint16
	OldScores []int16
	OldNodes  []uint32

	// Tags are what the file of an imported game says about it, "" for what it does not say. Otherwise empty. Package
	// gamerow says which tags.
	Tags []string

	OpeningPlies uint16    // leading plies that were drawn at random
	Players      [2]string // texts of the players First and Second
	Outcome      Outcome
}

// Special values of MoveRanks.
const (
	RankBest   uint8 = 0   // the best move, or the only one searched
	RankRandom uint8 = 255 // drawn at random from the legal moves
)

// Reset empties the record and keeps its memory.
func (r *Record) Reset() {
	r.Forget()
	*r = Record{
		Actions: r.Actions, Best: r.Best, MoveRanks: r.MoveRanks, Scores: r.Scores, Nodes: r.Nodes,
		PolicySize: r.PolicySize, PolicyAction: r.PolicyAction, PolicyWeight: r.PolicyWeight,
		OldBest: r.OldBest, OldScores: r.OldScores, OldNodes: r.OldNodes, Tags: r.Tags[:0],
	}
}

// CopyFrom makes r a copy of another record. It keeps the memory of r.
func (r *Record) CopyFrom(o *Record) {
	r.Forget()
	r.Game, r.Start, r.OpeningPlies, r.Players, r.Outcome = o.Game, o.Start, o.OpeningPlies, o.Players, o.Outcome
	r.Tags = append(r.Tags[:0], o.Tags...)
	r.Append(o)
}

// Append adds the plies of another record to the lists.
func (r *Record) Append(o *Record) {
	r.Actions, r.MoveRanks = append(r.Actions, o.Actions...), append(r.MoveRanks, o.MoveRanks...)
	r.Best, r.Scores, r.Nodes = append(r.Best, o.Best...), append(r.Scores, o.Scores...), append(r.Nodes, o.Nodes...)
	r.PolicySize = append(r.PolicySize, o.PolicySize...)
	r.PolicyAction, r.PolicyWeight = append(r.PolicyAction, o.PolicyAction...), append(r.PolicyWeight, o.PolicyWeight...)
	r.OldBest, r.OldScores, r.OldNodes = append(r.OldBest, o.OldBest...), append(r.OldScores, o.OldScores...), append(r.OldNodes, o.OldNodes...)
}

// Forget removes all plies and keeps their memory; the other fields stay.
func (r *Record) Forget() {
	r.Actions = r.Actions[:0]
	r.Best = r.Best[:0]
	r.MoveRanks = r.MoveRanks[:0]
	r.Scores = r.Scores[:0]
	r.Nodes = r.Nodes[:0]
	r.PolicySize = r.PolicySize[:0]
	r.PolicyAction = r.PolicyAction[:0]
	r.PolicyWeight = r.PolicyWeight[:0]
	r.OldBest = r.OldBest[:0]
	r.OldScores = r.OldScores[:0]
	r.OldNodes = r.OldNodes[:0]
}

// Begin sets p to the first position of a game: start, or the start of the game if
// start is "". It returns an error if start is invalid or no game leads to it.
func Begin(p Position, start string) error {
	if start == "" {
		p.Reset()
		return nil
	}
	if err := p.Set(start); err != nil {
		return err
	}
	if r, ok := p.(Reacher); ok {
		if err := r.Reachable(); err != nil {
			return fmt.Errorf("begin game at %q: %w", start, err)
		}
	}
	return nil
}

// StartPly returns the number of turns before a position by the number of its full move and
// its side to move. It is 0 in games whose texts have no number.
func StartPly(p Position) int {
	n, ok := p.(Numbered)
	if !ok {
		return 0
	}
	return 2*(int(n.FullMove())-1) + int(p.Turn())
}

// A Journal keeps games while they are played, so that a later run goes on where this one stopped. Its methods
// are safe for concurrent use and keep neither rec nor src.
type Journal interface {
	// Resume returns what earlier runs kept of the game of rec, nil if nothing. rec holds the game as it
	// begins, with its opening; the error says that the kept game begins in another way. The result is read only.
	Resume(rec *Record) (*Unfinished, error)
	// Keep keeps a game under way. src is the random source of the game after the last ply of rec.
	Keep(rec *Record, src *rand.PCG) error
	// Finish keeps a finished game.
	Finish(rec *Record) error
}

// Unfinished is a game under way, from which its player can go on.
type Unfinished struct {
	Record          // without an outcome
	Source rand.PCG // the random source after the last ply
}

// Agrees reports whether r and o may be the same game, one of them with more plies: each list of one begins
// with that of the other. Outcomes are not compared.
func (r *Record) Agrees(o *Record) bool {
	return r.Game == o.Game && r.Start == o.Start && r.OpeningPlies == o.OpeningPlies && r.Players == o.Players && slices.Equal(r.Tags, o.Tags) &&
		agree(r.Actions, o.Actions) && agree(r.MoveRanks, o.MoveRanks) &&
		agree(r.Best, o.Best) && agree(r.Scores, o.Scores) && agree(r.Nodes, o.Nodes) &&
		agree(r.PolicySize, o.PolicySize) && agree(r.PolicyAction, o.PolicyAction) && agree(r.PolicyWeight, o.PolicyWeight) &&
		agree(r.OldBest, o.OldBest) && agree(r.OldScores, o.OldScores) && agree(r.OldNodes, o.OldNodes)
}

func agree[T comparable](a, b []T) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}

// Result is the result of a game. Datasets store the values: append, never renumber.
type Result uint8

// The results. NoResult marks a game that is not over or hit the ply limit.
const (
	NoResult   Result = 0
	FirstWins  Result = 1
	SecondWins Result = 2
	Draw       Result = 3
)

// Win returns the result in which s wins.
func Win(s Side) Result {
	if s == First {
		return FirstWins
	}
	return SecondWins
}

// Reason is how a game ended. Datasets store the values: append, never renumber.
type Reason uint8

// The reasons. PlyLimit is the only one that goes with NoResult: the generator cut
// the game off, the rules did not end it.
const (
	NoReason          Reason = 0  // of Ongoing
	Checkmate         Reason = 1  // no legal move, in check
	Stalemate         Reason = 2  // no legal move, not in check
	Repetition        Reason = 3  // a position occurred too often
	Fifty             Reason = 4  // the half-move clock: fifty moves of each side without progress
	Material          Reason = 5  // too little material to win
	CommanderCaptured Reason = 6  // in CoTuLenh
	Goal              Reason = 7  // a piece reached its goal, or a line is complete
	Blocked           Reason = 8  // no legal move, in games without check
	Adjudicated       Reason = 9  // decided by the players' scores
	PlyLimit          Reason = 10 // cut off, not decided
)

// FirstOwnReason is the first number of the reasons that only one game has. The entry of the
// game in the catalog names them; equal numbers of two games have nothing in common.
const FirstOwnReason Reason = 128

var reasons = [...]string{
	"", "checkmate", "stalemate", "repetition", "fifty", "material",
	"commander_captured", "goal", "blocked", "adjudicated", "ply_limit",
}

// Reasons returns the names of all reasons, indexed by Reason.
func Reasons() []string { return append([]string(nil), reasons[:]...) }

// String returns the name that datasets use; "" for NoReason. A reason of one game alone has
// its name from the catalog.
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return "unknown"
}

// Outcome is how a game ended. The zero value is Ongoing.
type Outcome struct {
	Result Result
	Reason Reason
}

// Ongoing is the outcome of a game that is not over.
var Ongoing = Outcome{}

// For returns the result from the view of s: +1 win, -1 loss, 0 draw or no result.
func (o Outcome) For(s Side) int8 {
	switch o.Result {
	case Win(s):
		return 1
	case Win(s.Other()):
		return -1
	default:
		return 0
	}
}
