package contrast_test

import (
	"errors"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
)

func TestSetRejects(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           engine.TextError
	}{
		{"no side", " x", "", engine.TextError{Kind: "CONTRAST_INVALID_FORMAT", Category: "structure"}},
		{"invalid side", " x", " b", engine.TextError{Kind: "CONTRAST_INVALID_SIDE", Category: "structure"}},
		{"two blanks between fields", " x", "  x", engine.TextError{Kind: "CONTRAST_INVALID_SIDE", Category: "structure"}},
		{"trailing blank", " x", " x ", engine.TextError{Kind: "CONTRAST_INVALID_SIDE", Category: "structure"}},
		{"25-element array of version 1", ",3,1,3,1", "", engine.TextError{Kind: "CONTRAST_INVALID_ELEMENT_COUNT", Category: "structure"}},
		{"30 elements", ",3,1,3,1", ",3,1,3,1,0", engine.TextError{Kind: "CONTRAST_INVALID_ELEMENT_COUNT", Category: "structure"}},
		{"empty element", "3,3,3,3,3,0", "3,3,3,3,3,", engine.TextError{Kind: "CONTRAST_INVALID_NUMBER", Category: "lexical", Rank: 4, Column: 1}},
		{"leading zero", "3,3,3,3,3,0", "3,3,03,3,3,0", engine.TextError{Kind: "CONTRAST_INVALID_NUMBER", Category: "lexical", Rank: 5, Column: 3}},
		{"plus sign", "3,3,3,3,3,0", "+3,3,3,3,3,0", engine.TextError{Kind: "CONTRAST_INVALID_NUMBER", Category: "lexical", Rank: 5, Column: 1}},
		{"minus sign", "3,3,3,3,3,0", "-1,3,3,3,3,0", engine.TextError{Kind: "CONTRAST_INVALID_NUMBER", Category: "lexical", Rank: 5, Column: 1}},
		{"letter", "0,6,6,6,6,6", "0,6,6,6,6,x", engine.TextError{Kind: "CONTRAST_INVALID_NUMBER", Category: "lexical", Rank: 1, Column: 5}},
		{"cell code 9", "0,6,6,6,6,6", "0,6,6,6,9,6", engine.TextError{Kind: "CONTRAST_INVALID_CELL", Category: "board", Rank: 1, Column: 4}},
		{"cell code 10", "0,6,6,6,6,6", "0,6,6,6,10,6", engine.TextError{Kind: "CONTRAST_INVALID_CELL", Category: "board", Rank: 1, Column: 4}},
		{"four black tiles for Black", "3,1,3,1", "4,1,3,1", engine.TextError{Kind: "CONTRAST_INVALID_HAND", Category: "hands"}},
		{"two gray tiles for Black", "3,1,3,1", "3,2,3,1", engine.TextError{Kind: "CONTRAST_INVALID_HAND", Category: "hands"}},
		{"four black tiles for White", "3,1,3,1", "3,1,4,1", engine.TextError{Kind: "CONTRAST_INVALID_HAND", Category: "hands"}},
		{"two gray tiles for White", "3,1,3,1", "3,1,3,2", engine.TextError{Kind: "CONTRAST_INVALID_HAND", Category: "hands"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(contrast.StartText, c.old, c.new, 1)
			var got *engine.TextError
			if err := contrast.New().Set(text); !errors.As(err, &got) {
				t.Fatalf("%q: %v", text, err)
			}
			rest := *got
			rest.Msg = ""
			if rest != c.want || got.Msg == "" {
				t.Errorf("%q: %+v, want %+v", text, got, c.want)
			}
		})
	}
}
