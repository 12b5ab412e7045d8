package engine

// Defaults answers the questions of Position and Evaluator that most games answer with a
// constant. A position embeds it, and declares the methods that its game answers otherwise.
type Defaults struct{}

// Check is false: no piece is royal.
func (Defaults) Check() bool { return false }

// Hangs is false: a search skips no move because of it.
func (Defaults) Hangs(Move) bool { return false }

// GivesCheck is false.
func (Defaults) GivesCheck(Move) bool { return false }

// Placement is 0: only its gain orders a move.
func (Defaults) Placement(Move) int { return 0 }

// Tuning turns all margins off.
func (Defaults) Tuning() *Tuning { return &noMargins }

var noMargins Tuning
