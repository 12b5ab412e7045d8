package encode_test

import (
	"errors"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// TestArraysWithAFault: an array with any one element changed is a position, whose text
// can be set, or is refused with a kind that programs test; never another error or a
// panic.
func TestArraysWithAFault(t *testing.T) {
	for _, game := range encode.Games() {
		layout, n, seen := &game.Layouts[0], 0, map[string]bool{}
		somePositions(t, &game, func(text string) {
			if n++; n%499 != 1 {
				return
			}
			p := game.New("")
			if err := p.Set(text); err != nil {
				t.Fatal(err)
			}
			checkFaults(t, &game, layout, p, seen)
		})
		if len(seen) < 3 || !seen["ARRAY_RANGE"] {
			t.Errorf("%s: only %v was refused", game.Name, seen)
		}
	}
}

// checkFaults changes every element of a position's array to values about what some
// element may be.
func checkFaults(t *testing.T, game *encode.Game, layout *encode.Layout, p engine.Position, seen map[string]bool) {
	t.Helper()
	var array []int
	for values, size := layout.Encode(nil, p), layout.Kind.Size(); len(values) > 0; values = values[size:] {
		v := int(values[0])
		if size == 2 {
			v |= int(values[1]) << 8
		}
		array = append(array, v)
	}
	other, values := game.New(""), []int{-1, 132, 133, 143, 255, 256, 284, 285, 1<<16 - 1, 1 << 16}
	for v := range 16 {
		values = append(values, v)
	}
	for i := range array {
		for _, v := range values {
			changed := slices.Clone(array)
			changed[i] = v
			text, err := layout.Text(changed, p.Turn(), true)
			var fault *engine.TextError
			switch {
			case err == nil:
				if err := other.Set(text); err != nil {
					t.Errorf("%s, element %d is %d: the text is %q: %v", p, i, v, text, err)
				}
			case !errors.As(err, &fault) || fault.Kind == "":
				t.Fatalf("%s, element %d is %d: no kind: %v", p, i, v, err)
			default:
				seen[fault.Kind] = true
			}
		}
	}
}
