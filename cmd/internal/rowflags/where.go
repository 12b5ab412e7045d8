package rowflags

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/internal/typo"
)

// WhereFlag returns --where: conditions that choose rows.
func WhereFlag(unless string) cli.Flag {
	return flagOf(unless)("where", "", "take only rows for which all `CONDITIONS` hold, such as 'reason=fifty,ply>=8,!check'; separate them by commas, and values by |. Words: "+
		strings.Join(encode.WhereWords(), ", "))
}

// meant suggests a name for an unknown one, or for its first word: commander_captured for comander.
func meant(unknown string, names []string) string {
	if all := typo.DidYouMean(unknown, names, "%q"); all != "" {
		return all
	}
	for _, name := range names {
		if first, _, _ := strings.Cut(name, "_"); typo.DidYouMean(unknown, []string{first}, "%q") != "" {
			return fmt.Sprintf(", did you mean %q?", name)
		}
	}
	return ""
}

// setWhere sets the conditions of the filter of a shape, if --where is given. An empty text removes them, as
// that of --skip removes its own. drops is that of ParseWhere.
func setWhere(c *cli.Context, s *rows.Shape, drops *encode.Deblunder) (err error) {
	if !c.IsSet("where") {
		return nil
	}
	if c.String("where") == "" {
		s.Filter.Where = nil
		return nil
	}
	s.Filter.Where, err = ParseWhere(c, &s.Game, drops)
	return err
}

// ParseWhere parses the value of --where, nil if it is not given. drops is the model of the word
// drop, or nil.
func ParseWhere(c *cli.Context, g *encode.Game, drops *encode.Deblunder) (*encode.Where, error) {
	if !c.IsSet("where") {
		return nil, nil
	}
	w, err := g.ParseWhere(c.String("where"), drops)
	var wrong *encode.WhereError
	if errors.As(err, &wrong) {
		if suggestion := meant(wrong.Word, wrong.Known); suggestion != "" {
			wrong.Msg, wrong.Known = wrong.Msg+suggestion, nil
		}
	}
	if err != nil {
		return nil, app.Usage("--where: %v", err)
	}
	return w, nil
}
