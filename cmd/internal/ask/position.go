package ask

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
)

// Position names a position: by its text, or by the array of the game's first layout and the side
// to move. The zero Position is the start of the game.
type Position struct {
	Text  string `json:"position"`
	Array []int  `json:"board_array"`
	Side  string `json:"side"`
}

// Set sets pos to the position. strict is as in encode.Layout.Text.
func (q *Position) Set(pos engine.Position, g *encode.Game, strict bool) error {
	text, err := q.text(g, strict)
	if err != nil {
		return err
	}
	if text == "" {
		pos.Reset()
		return nil
	}
	return pos.Set(text)
}

// text returns the text of the position, "" for the start of the game.
func (q *Position) text(g *encode.Game, strict bool) (string, error) {
	switch {
	case q.Array == nil && q.Side != "":
		return "", fmt.Errorf("%w: side without board_array", ErrJSON)
	case q.Array == nil:
		return q.Text, nil
	case q.Text != "":
		return "", fmt.Errorf("%w: position and board_array exclude each other", ErrJSON)
	}
	side := slices.Index(g.Sides[:], q.Side)
	if side < 0 {
		return "", fmt.Errorf("%w: side %q: want %s", ErrJSON, q.Side, strings.Join(g.Sides[:], " or "))
	}
	return g.Layouts[0].Text(q.Array, engine.Side(side), strict)
}

// ParsePosition parses the text of a position or an object. No such text begins with a brace.
func ParsePosition(text string) (q Position, err error) {
	if !strings.HasPrefix(text, "{") {
		return Position{Text: text}, nil
	}
	err = Decode([]byte(text), &q)
	return q, err
}

// ParseQuestion parses an object or the text of a position. No such text begins with a brace.
func ParseQuestion(line []byte) (q Question, err error) {
	if !bytes.HasPrefix(line, []byte("{")) {
		q.Text = string(line)
		return q, nil
	}
	err = Decode(line, &q)
	return q, err
}

// ErrJSON is the error of a text that is not the object it should be.
var ErrJSON = errors.New("read object")

// Decode decodes one JSON object and refuses unknown members. The error is an ErrJSON.
func Decode(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if other := (*json.UnmarshalTypeError)(nil); errors.As(err, &other) { // its text names types of Go
		return fmt.Errorf("%w: %s in place of %s", ErrJSON, other.Value, cmp.Or(other.Field, "the object"))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrJSON, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%w: text after the object", ErrJSON)
	}
	return nil
}
