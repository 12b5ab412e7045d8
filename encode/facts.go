package encode

// Facts are the facts of a catalog entry for people and programs: the command
// `selfplay games` prints them.
type Facts struct {
	Name     string        `json:"name"`
	Title    string        `json:"title"`
	Rules    int           `json:"rules"` // version
	Sides    [2]string     `json:"sides"` // side 0, which moves first in the start position, then side 1
	Variants []string      `json:"variants"`
	Files    int           `json:"files"`
	Ranks    int           `json:"ranks"`
	MaxPlies int           `json:"max_plies"`
	Layouts  []LayoutFacts `json:"layouts"` // the default first
	Actions  ActionFacts   `json:"actions"`
	Reasons  []ReasonFacts `json:"reasons"` // for which a game can end
	// Repetitions is the number of earlier occurrences of a position that end a game; 0:
	// repetition does not.
	Repetitions int `json:"repetitions"`
	// Conditions are the words of --where that the game has.
	Conditions []string `json:"conditions"`
	Presets    []string `json:"presets"`
	Samples    []string `json:"samples"` // positions with special rules
}

// LayoutFacts are the facts of a layout.
type LayoutFacts struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Kind    string `json:"kind"` // of the elements
	Len     int    `json:"len"`  // number of elements
}

// ActionFacts are the facts of an action numbering.
type ActionFacts struct {
	Version   int  `json:"version"`
	Count     int  `json:"count"`
	HasOrigin bool `json:"has_origin"`
}

// ReasonFacts are the number and the name of a reason.
type ReasonFacts struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
}

// Facts returns the facts of the entry.
func (g *Game) Facts() Facts {
	f := Facts{
		Name: g.Name, Title: g.Title, Rules: g.Rules, Sides: g.Sides, Variants: []string{},
		Files: g.Board.Files, Ranks: g.Board.Ranks, MaxPlies: g.MaxPlies,
		Actions:     ActionFacts{g.Actions.Version, g.Actions.Count, g.Actions.HasOrigin},
		Repetitions: g.Repetitions, Conditions: g.WhereWords(), Samples: g.Samples,
	}
	f.Variants = append(f.Variants, g.Variants...)
	for i := range g.Layouts {
		l := &g.Layouts[i]
		f.Layouts = append(f.Layouts, LayoutFacts{l.Name, l.Version, l.Kind.String(), l.Len()})
	}
	for _, r := range g.AllReasons() {
		f.Reasons = append(f.Reasons, ReasonFacts{int(r), g.ReasonName(r)})
	}
	for _, p := range g.Presets {
		f.Presets = append(f.Presets, p.Name)
	}
	return f
}
