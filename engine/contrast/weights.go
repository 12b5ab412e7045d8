package contrast

// weights are the parameters of Evaluate in centi-units.
type weights struct {
	rank       [ranks - 1]int    // per piece, by ranks advanced, short of the goal
	race       [maxSteps + 1]int // by steps of the nearest piece to the goal
	moves      [maxMoves + 1]int // by number of base moves
	black      int               // per black tile in hand
	gray       int               // per gray tile in hand
	tempo      int               // bonus for the side to move
	goalNext   int               // whole score if the side to move can reach the goal now; 0 disables it
	goalThreat int               // per base move of the other side that would reach its goal
}

const (
	maxSteps = 5  // the race looks four steps ahead; 5 means five or more, or no way
	maxMoves = 20 // more moves count as 20
)

// standard are the weights of Evaluate.
var standard = weights{
	rank:       [ranks - 1]int{0, 15, 40, 80},
	race:       [maxSteps + 1]int{0, 150, 90, 45, 15, 0},
	moves:      [maxMoves + 1]int{-600, -300, -180, -120, -75, -45, -22, 0, 15, 30, 42, 54, 63, 72, 81, 90, 96, 102, 108, 114, 120},
	black:      20,
	gray:       35,
	tempo:      30,
	goalNext:   5000,
	goalThreat: 100,
}

// winGain exceeds every static advantage. It is the Gain of a winning move and the
// score of a decided position.
const winGain = 10_000
