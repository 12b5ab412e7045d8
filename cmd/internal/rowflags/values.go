package rowflags

import (
	"slices"
	"strings"

	"selfplay/cmd/internal/app"
	"selfplay/datasets/plan"
	"selfplay/encode"
)

// Values returns the values that the flags complete to.
func Values(games encode.Catalog) map[string]app.Values {
	var columns []string
	for _, name := range encode.ExtraNames() {
		columns = append(columns, "+"+name)
	}
	return map[string]app.Values{
		"format":      app.OneOf(plan.Parquet, plan.Arrow),
		"layout":      layouts(games),
		"board-type":  app.OneOf(plan.List, plan.Packed),
		"perspective": app.OneOf(board, mover),
		"columns":     app.ListOf(columns...),
		whereName:     app.ListOf(encode.WhereWords()...),
		"check":       app.OneOf(checkFull, checkLight),
	}
}

// layouts completes to the layouts of the game on the line, or of all games.
func layouts(games encode.Catalog) app.Values {
	return func(_ string, given func(string) string) (names []string) {
		for _, g := range games {
			if name := given("game"); name != "" && !strings.EqualFold(name, g.Name) {
				continue
			}
			for _, l := range g.Layouts {
				if !slices.Contains(names, l.Name) {
					names = append(names, l.Name)
				}
			}
		}
		return names
	}
}
