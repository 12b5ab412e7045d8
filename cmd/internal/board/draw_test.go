package board

import (
	"strconv"
	"strings"
	"testing"
)

// TestColours: of a lean of 1/21 the green is a little below 75, unless its products are
// not rounded before they are added.
func TestColours(t *testing.T) {
	for _, c := range []struct {
		lean float64
		want string
	}{{Both, "#b43c0c"}, {0, "#c84a00"}, {1, "#005fb8"}, {0.5, "#64545c"}, {1.0 / 21, "#be4a08"}} {
		if got := colour(c.lean); got != c.want {
			t.Errorf("lean %v: %s, want %s", c.lean, got, c.want)
		}
	}
}

// Picture is Draw as a file of its own, for the README.
func (b *Board) Picture(d Drawing) string {
	body, tag := b.Draw(d), strconv.Itoa
	open := `<svg class="board" `
	return `<svg class="board" width="` + tag(6*(margin+cell*b.Files+1)) + `" height="` + tag(6*(margin+cell*b.Ranks+1)) + `" ` +
		strings.Replace(strings.TrimPrefix(body, open), ">", "><style>"+Style+"</style>", 1) + "\n"
}
