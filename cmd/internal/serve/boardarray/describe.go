package boardarray

import (
	"fmt"

	"selfplay/encode"
)

// State is a position of a game.
type State struct {
	Game    encode.Game
	Variant string
	Text    string // of the position
}

// notState are members that the layout of Contrast adds to a position and that are not part of
// the public encoding.
var notState = map[string]bool{"reachable": true}

// describe returns the array of a position: the members of the public encoding of Contrast, and
// the same members for other games as far as they mean something there. Only Contrast has tiles.
func describe(s *State) (o encode.Object, err error) {
	pos := s.Game.New(s.Variant)
	if s.Text != "" {
		if err := pos.Set(s.Text); err != nil {
			return nil, err
		}
	}
	l := &s.Game.Layouts[0]
	values := l.Encode(nil, pos)
	if l.Members != nil {
		for _, m := range l.Members(values, pos.Turn()) {
			if !notState[m.Name] {
				o = append(o, m)
			}
		}
		return o, nil
	}
	o.Add("board_array", l.Values(nil, values))
	o.Add("encoding", l.Elements[0].Doc)
	o.Add("size", l.Len())
	o.Add("format", "row-major")
	o.Add("structure", structure(l))
	return o, nil
}

// structure returns the places of the elements, as the public encoding writes them.
func structure(l *encode.Layout) (o encode.Object) {
	at := 0
	for i, e := range l.Elements {
		name := e.Name
		if i == 0 {
			name = "board_cells"
		}
		place := fmt.Sprintf("[%d]", at)
		if e.Count > 1 {
			place = fmt.Sprintf("[%d-%d]", at, at+e.Count-1)
		}
		o.Add(name, place)
		at += e.Count
	}
	return o
}
