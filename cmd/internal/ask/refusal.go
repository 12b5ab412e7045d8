package ask

import (
	"errors"

	"selfplay/engine"
)

// Kinds of errors that do not come from reading a position. Programs test them.
const (
	KindMove    = "MOVE_ILLEGAL"
	KindJSON    = "JSON_INVALID"
	KindUnknown = "UNKNOWN" // no known error has it
)

// Refusal is the answer to a question with an error. Kind is stable; Rank and Column say where a
// text is wrong, 0 if it has no such place.
type Refusal struct {
	Error  string `json:"error"`
	Kind   string `json:"kind"`
	Rank   int    `json:"rank,omitempty"`
	Column int    `json:"column,omitempty"`
}

// Refuse returns the refusal of an error.
func Refuse(err error) Refusal {
	r := Refusal{Error: err.Error()}
	var illegal *MoveError
	var text *engine.TextError
	switch {
	case errors.As(err, &illegal):
		r.Kind = KindMove
	case errors.As(err, &text):
		r.Kind, r.Rank, r.Column = text.Kind, text.Rank, text.Column
	case errors.Is(err, ErrJSON):
		r.Kind = KindJSON
	default:
		r.Kind = KindUnknown
	}
	return r
}
