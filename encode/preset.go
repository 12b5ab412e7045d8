package encode

// Preset is a name for flags of `selfplay run` that suit a game. A dataset knows only the
// flags, so a preset may change when better values are known.
type Preset struct {
	Name  string `json:"name"`
	Doc   string `json:"doc"`   // one line
	Flags string `json:"flags"` // as written on a command line
}

// PresetNames returns the names of the presets that every game has, the cheapest first.
func PresetNames() []string { return []string{"bulk", "balanced", "strong"} }

// Descriptions of the presets that every game has.
const (
	bulkDoc     = "shallow games with some random moves: many rows in a short time"
	balancedDoc = "searched games from balanced openings, with policies of four moves"
	strongDoc   = "the deepest search that fits a night"
)

// Flags that presets share. A lead of 1000 centi-units for six plies wins 98 of 100 games
// of ab:depth=3 in CoTuLenh, and all but one in chess. Weaker players often fail to
// convert such a lead, so adjudicating it gives better labels. One of ten games is played
// out, but none of CoTuLenh at depth 1 and 2: there a lead is seldom converted, and the long
// drawn games of the tenth say the opposite of the others. Scores near 0 do not predict a
// draw, so no preset adjudicates draws. Rows without a search have no score to learn from,
// so they are left out.
const (
	adjudicateAll  = " --adjudicate-win 1000,6"
	adjudicateWins = adjudicateAll + " --play-out 0.1"
	searchedRows   = " --skip limit,unsearched"
)
