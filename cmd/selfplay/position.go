package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
	"selfplay/engine"
)

// positionFlags choose a position and how strictly it is read.
func positionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "position", Category: app.Game, DefaultText: "the start of the game",
			Usage: "`TEXT` of the position, or {\"board_array\":[...],\"side\":\"...\"}"},
		&cli.BoolFlag{Name: "strict", Category: app.Game, Usage: "refuse an array of an older version that leaves part of the position unknown"},
	}
}

// positionFrom returns the game and the position of the flags.
func positionFrom(c *cli.Context) (encode.Game, engine.Position, error) {
	game, variant, err := gameFrom(c)
	if err != nil {
		return game, nil, err
	}
	q, err := parsePosition(c.String("position"))
	if err != nil {
		return game, nil, app.Usage("%v", err)
	}
	pos := game.New(variant)
	if err := q.set(pos, &game, c.Bool("strict")); err != nil {
		return game, nil, app.Usage("%v", err)
	}
	return game, pos, nil
}

// positionInput names a position: by its text, or by the array of the game's first layout and the
// side to move. The zero positionInput is the start of the game.
type positionInput struct {
	Position string `json:"position"`
	Array    []int  `json:"board_array"`
	Side     string `json:"side"`
}

// set sets pos to the place. strict is as in encode.Layout.Text.
func (q *positionInput) set(pos engine.Position, g *encode.Game, strict bool) error {
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
func (q *positionInput) text(g *encode.Game, strict bool) (string, error) {
	switch {
	case q.Array == nil && q.Side != "":
		return "", fmt.Errorf("%w: side without board_array", errJSON)
	case q.Array == nil:
		return q.Position, nil
	case q.Position != "":
		return "", fmt.Errorf("%w: position and board_array exclude each other", errJSON)
	}
	side := slices.Index(g.Sides[:], q.Side)
	if side < 0 {
		return "", fmt.Errorf("%w: side %q: want %s", errJSON, q.Side, strings.Join(g.Sides[:], " or "))
	}
	return g.Layouts[0].Text(q.Array, engine.Side(side), strict)
}

// parsePosition parses the text of a position or an object. No such text begins with a
// brace.
func parsePosition(text string) (q positionInput, err error) {
	if !strings.HasPrefix(text, "{") {
		return positionInput{Position: text}, nil
	}
	err = decodeObject([]byte(text), &q)
	return q, err
}

var errJSON = errors.New("read object")

// decodeObject decodes one JSON object and refuses unknown members.
func decodeObject(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%w: %w", errJSON, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%w: text after the object", errJSON)
	}
	return nil
}
