package engine

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
