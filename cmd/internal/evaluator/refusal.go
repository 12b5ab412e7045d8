package evaluator

import (
	"encoding/binary"
	"errors"
	"fmt"

	"selfplay/workers"
)

// The body of an error is the row of the batch at fault as int32, -1 for none, and a text.

// refusal is an error that an evaluator reports about its model. To ask again would give it again.
type refusal struct {
	row  int
	text string
}

func (r *refusal) Error() string { return r.text }

// parseRefusal reads the body of an error.
func parseRefusal(body []byte) error {
	if len(body) < 4 {
		return fmt.Errorf("an error frame of %d bytes: want at least 4", len(body))
	}
	return &refusal{int(int32(binary.LittleEndian.Uint32(body))), plain(string(body[4:]))}
}

// of returns the refusal of a batch of n questions. A row that the batch does not have is none.
func (r *refusal) of(n int) error {
	if r.row < 0 || r.row >= n {
		return &workers.WrongAnswer{Question: -1, Reason: r.text}
	}
	return &workers.WrongAnswer{Question: r.row, Reason: r.text}
}

// explain turns a refusal into an error about a batch. It returns other errors unchanged.
func explain(err error, n int) error {
	var r *refusal
	if errors.As(err, &r) {
		return r.of(n)
	}
	return err
}
