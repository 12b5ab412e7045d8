package rowflags

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
	"selfplay/internal/typo"
)

const whereName = "where"

// WhereFlag returns --where: conditions that choose rows.
func WhereFlag(unless string) cli.Flag {
	return flagOf(unless)(whereName, "", "take only rows for which all `CONDITIONS` hold, such as 'reason=fifty,ply>=8,!check'; separate them by commas, and values by |. "+
		"A ! before a condition means that it does not hold, or that its value is unknown. Words: "+
		strings.Join(encode.WhereWords(), ", ")+"; drop counts the last step to the result")
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

// ParseWhere parses the value of --where, nil if it is not given or has no condition. drops is the
// model of the word drop, or nil.
func ParseWhere(c *cli.Context, g *encode.Game, drops *encode.Deblunder) (*encode.Where, error) {
	text := c.String(whereName)
	if text == "" {
		return nil, nil
	}
	w, err := g.ParseWhere(text, drops)
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
