package encode_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine/enginetest"
)

// parsers parse the texts of flags and plans, by where they stand, and write what they read.
var parsers = map[string]func(text string) (string, error){
	"columns": func(text string) (string, error) {
		names, err := encode.ParseExtra(text)
		return fmt.Sprintf("%q", names), err
	},
	"where": func(text string) (string, error) {
		g := encode.CoTuLenh()
		w, err := g.ParseWhere(text, nil)
		if err != nil {
			return "", err
		}
		return w.String(), nil
	},
	"keep": func(text string) (string, error) {
		keep, err := encode.ParseKeep(text)
		return fmt.Sprintf("%d thousandths, 0 for all", keep), err
	},
	"filter": func(text string) (string, error) {
		g := encode.CoTuLenh()
		f, err := g.ParseFilter(strings.Fields(text))
		return fmt.Sprintf("%q, keep %d thousandths, at most %d rows", f.Where.Texts(), f.Keep, f.MaxRows), err
	},
	"deblunder": func(text string) (string, error) {
		d, err := encode.ParseDeblunder(text)
		return fmt.Sprintf("%#v", d), err
	},
	"fields": structOf,
	"preset": gamesOfFlags,
	"conditions": func(text string) (string, error) {
		g, err := encode.Games().Find(text)
		return strings.Join(g.WhereWords(), " "), err
	},
	"layout": func(text string) (string, error) {
		g := encode.Chess()
		l, err := g.Layout(text)
		if err != nil {
			return "", err
		}
		return l.Name, nil
	},
}

// structOf says where the fields of a row lie, as in a C struct. The text is their names, empty for
// all, and the number of policy entries.
func structOf(text string) (string, error) {
	list, number, _ := strings.Cut(text, " policy=")
	var names []string
	if list != "" {
		names = strings.Split(list, ",")
	}
	policy, _ := strconv.Atoi(number)
	s, err := encode.NewStruct(structColumns, names, policy)
	if err != nil {
		return "", err
	}
	answer := fmt.Sprintf("%d bytes", s.Size)
	for _, f := range s.Fields {
		answer += fmt.Sprintf(", %s at %d", f.Name, f.Offset)
	}
	return answer, nil
}

// gamesOfFlags says what the games of a preset with these flags are to a model of scores.
func gamesOfFlags(flags string) (string, error) {
	p := encode.Preset{Flags: flags}
	games, ok := p.Games("own-g1")
	if !ok {
		return "", errors.New("no model fits")
	}
	return fmt.Sprintf("%+v", games), nil
}

// TestTexts: what texts of flags and plans are parsed as, or why they are refused.
func TestTexts(t *testing.T) {
	enginetest.Conversation(t, "testdata/texts.txt", "Plans store some of these texts: keep what they mean", func(question string) string {
		where, text, _ := strings.Cut(question, " ")
		answer, err := parsers[where](text)
		if err != nil {
			return err.Error()
		}
		return answer
	})
}
