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

// Flags that presets share. Presets adjudicate a lead that the players hold for six plies:
// 1000 centi-units in chess, 1500 in CoTuLenh, where scores of won games are higher. One of
// ten games is played out. Scores near 0 do not predict a draw, so no preset adjudicates
// draws. Rows without a search have no score to learn from, so they are left out.
const (
	adjudicateChess    = " --adjudicate-win 1000,6 --play-out 0.1"
	adjudicateCoTuLenh = " --adjudicate-win 1500,6 --play-out 0.1"
	searchedRows       = " --skip limit,unsearched"
)
