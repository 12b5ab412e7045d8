package plan

import (
	"cmp"
	"fmt"
	"slices"

	"selfplay/datasets/colfile"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
)

// Formats and board types of a plan. See package colfile.
const (
	Parquet       = colfile.Parquet
	Arrow         = colfile.Arrow
	List          = colfile.List
	Packed        = colfile.Packed
	WriterVersion = colfile.WriterVersion
)

// Mover is the perspective in which each row is seen from the side to move. Plans store
// the text, so it never changes.
const Mover = "mover"

// Defaults of a plan.
const (
	DefaultShardGames = 1000
	DefaultValidation = 50 // thousandths of the games
)

// Prerelease is raised by every change of the bytes of a dataset until version 1.0.0, which drops it. Datasets
// of another number are refused.
const Prerelease = 2

// Player is the player of a side: its specification and the version of its behaviour.
type Player struct {
	Spec    string `json:"spec"`
	Version int    `json:"version"`
}

// Plan is everything that the bytes of a dataset depend on, except the number of games.
// Two datasets of the same plan and number of games are equal byte for byte.
//
// The JSON is frozen: fields keep their names and order. A new field goes to the end of
// its group and is omitted while empty, so that other plans keep their hash.
type Plan struct {
	Prerelease int `json:"prerelease"` // Prerelease; Make fills it in

	Game     string    `json:"game"`
	Variant  string    `json:"variant"`
	Rules    int       `json:"rules"`
	Players  [2]Player `json:"players"`
	Seed     uint64    `json:"seed,string"` // as text: many readers of JSON round numbers of 64 bits
	MaxPlies int       `json:"max_plies"`
	Play     []string  `json:"play,omitempty"`     // other settings of the games: openings, exploration, adjudication
	Networks []string  `json:"networks,omitempty"` // SHA-256 of the networks that playing the games takes, sorted; see networks.go

	StaticScores []string `json:"static_scores,omitempty"` // fingerprints of the static scores that games and rows take, sorted; see encode.Game

	Evaluators []Evaluator `json:"evaluators,omitempty"` // models that players ask by name, sorted; see evaluators.go

	Tags []string `json:"tags,omitempty"` // columns of the games table with tags of imported games: none, or gamerow.TagColumns

	Layout        string   `json:"layout"`
	LayoutVersion int      `json:"layout_version"`
	Actions       int      `json:"actions"` // version of the action numbering
	Columns       []string `json:"columns"`
	Description   string   `json:"description"`           // Description.Hash; Make fills it in
	Perspective   string   `json:"perspective,omitempty"` // Mover, or empty if boards and actions are absolute
	Filter        []string `json:"filter,omitempty"`      // parts of the row filter, in the order in which they are applied
	Deblunder     string   `json:"deblunder,omitempty"`   // encode.Deblunder of the column value_target, or empty without it

	Format     string `json:"format"`
	BoardType  string `json:"board_type"`
	Codec      string `json:"codec"`
	Writer     int    `json:"writer"` // WriterVersion; Make fills it in
	ShardGames int    `json:"shard_games"`
	Validation int    `json:"validation"` // thousandths of the games

	Split []string `json:"split,omitempty"` // of joined games, the rules of their sources; see split.go
}

// WithDefaults returns the plan with defaults in place of empty storage fields.
func (p Plan) WithDefaults() Plan {
	p.Prerelease = cmp.Or(p.Prerelease, Prerelease)
	p.Format = cmp.Or(p.Format, Parquet)
	p.BoardType = cmp.Or(p.BoardType, List)
	p.Codec = cmp.Or(p.Codec, codecOf(p.Format))
	p.Writer = cmp.Or(p.Writer, WriterVersion)
	p.ShardGames = cmp.Or(p.ShardGames, DefaultShardGames)
	return p
}

func codecOf(format string) string {
	if format == Arrow {
		return colfile.CodecArrow
	}
	return colfile.CodecParquet
}

// Validate returns an error if this program can neither make nor read a dataset of the
// plan. The error is ErrUnsupported if another version of the program may be able to.
func (p Plan) Validate() error {
	switch {
	case p.Game == "":
		return fmt.Errorf("check plan: no game")
	case p.Perspective != "" && p.Perspective != Mover:
		return fmt.Errorf("check plan: perspective %q: %w: want board or %s", p.Perspective, fault.ErrUnsupported, Mover)
	case p.Format != Parquet && p.Format != Arrow:
		return fmt.Errorf("check plan: format %q: %w: want %s or %s", p.Format, fault.ErrUnsupported, Parquet, Arrow)
	case p.BoardType != List && p.BoardType != Packed:
		return fmt.Errorf("check plan: board type %q: %w: want %s or %s", p.BoardType, fault.ErrUnsupported, List, Packed)
	case p.Codec != codecOf(p.Format):
		return fmt.Errorf("check plan: codec %q for %s: %w: want %s", p.Codec, p.Format, fault.ErrUnsupported, codecOf(p.Format))
	case p.Writer != WriterVersion:
		return fmt.Errorf("check plan: writer version %d: %w: this program writes version %d", p.Writer, fault.ErrUnsupported, WriterVersion)
	case p.ShardGames < 1 || p.ShardGames > maxShardGames:
		return fmt.Errorf("check plan: %d games per shard: want 1 to %d", p.ShardGames, maxShardGames)
	case p.Validation < 0 || p.Validation > 1000:
		return fmt.Errorf("check plan: validation fraction %d: want 0 to 1000 thousandths", p.Validation)
	}
	if names := ColumnNames(gamerow.TagColumns()); len(p.Tags) > 0 && !slices.Equal(p.Tags, names) {
		return fmt.Errorf("check plan: tags %q: %w: want none or %q", p.Tags, fault.ErrUnsupported, names)
	}
	_, err := newSplits(p.Split, splitRule{})
	return cmp.Or(checkPrerelease(p.Prerelease), err, checkNetworks(p.Networks), checkSums("static score", p.StaticScores), checkEvaluators(p.Evaluators))
}

func checkPrerelease(n int) error {
	if n != Prerelease {
		return fmt.Errorf("pre-release %d: %w: this build reads pre-release %d; make the dataset again, or use the build that made it",
			n, fault.ErrUnsupported, Prerelease)
	}
	return nil
}

// Hash returns the SHA-256 of the canonical JSON of the plan, in hexadecimal.
func (p Plan) Hash() string { return canonical.Hash(p) }

// Clone returns a copy of the plan that shares no memory with it.
func (p Plan) Clone() Plan {
	p.Columns = slices.Clone(p.Columns)
	p.Play = slices.Clone(p.Play)
	p.Networks = slices.Clone(p.Networks)
	p.StaticScores = slices.Clone(p.StaticScores)
	p.Evaluators = slices.Clone(p.Evaluators)
	p.Tags = slices.Clone(p.Tags)
	p.Filter = slices.Clone(p.Filter)
	p.Split = slices.Clone(p.Split)
	return p
}

// SetNetworks makes a plan name networks, each once.
func (p *Plan) SetNetworks(files [][]byte) {
	p.Networks = nil
	for _, data := range files {
		p.Networks = append(p.Networks, SumOfNetwork(data))
	}
	slices.Sort(p.Networks)
	p.Networks = slices.Compact(p.Networks)
}

// AddStaticScores adds fingerprints of static scores to those of the plan. "" stands for a game without one.
func (p *Plan) AddStaticScores(fingerprints ...string) {
	all := slices.DeleteFunc(slices.Concat(p.StaticScores, fingerprints), func(f string) bool { return f == "" })
	slices.Sort(all)
	p.StaticScores = slices.Compact(all)
}

// Approximate reports whether the same plan need not give the same bytes, because a model's answers are
// approximate.
func (p Plan) Approximate() bool {
	return slices.ContainsFunc(p.Evaluators, func(e Evaluator) bool { return e.Approximate })
}

// AddEvaluators adds evaluators to those of the plan. One name cannot stand for two models.
func (p *Plan) AddEvaluators(list []Evaluator) error {
	all := slices.Clone(p.Evaluators)
	for _, e := range list {
		i := slices.IndexFunc(all, func(o Evaluator) bool { return o.Name == e.Name })
		switch {
		case i < 0:
			all = append(all, e)
		case all[i] != e:
			return fmt.Errorf("evaluator %s: the games were played by another %s of this name: choose another name", e.Name, all[i].Kind())
		}
	}
	slices.SortFunc(all, func(a, b Evaluator) int { return cmp.Compare(a.Name, b.Name) })
	p.Evaluators = all
	return nil
}

// Models returns the evaluators that are models.
func (p Plan) Models() []Evaluator { return p.evaluatorsOf((*Evaluator).isModel) }

// Engines returns the evaluators that are UCI engines.
func (p Plan) Engines() []Evaluator {
	return p.evaluatorsOf(func(e *Evaluator) bool { return !e.isModel() })
}

func (p Plan) evaluatorsOf(has func(*Evaluator) bool) (list []Evaluator) {
	for i := range p.Evaluators {
		if has(&p.Evaluators[i]) {
			list = append(list, p.Evaluators[i])
		}
	}
	return list
}
