// Package plan describes what a dataset is to contain: the plan with its hash, the meaning of its
// numbers, and the names of its shards and files. A plan is everything that the bytes of a dataset
// depend on, except the number of games. It is stored in plan.json, which is written first and never
// changes. The package plays no game and knows no rules.
//
// Games are numbered from 0. Shard s has the games s*K to s*K+K-1, where K is Plan.ShardGames; the last
// shard may be short. A game belongs to one split, so a shard has one part or two: its games of each split.
//
// The JSON of plan.json is canonical: hashes are SHA-256 of it. A field keeps its name and its place. A
// new field is omitted while it is empty, so that hashes of other plans stay. FormatVersion counts
// the changes that other programs cannot read.
package plan

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"path"
	"slices"
	"strconv"
	"strings"

	"selfplay/datasets/colfile"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/engine"
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
const Prerelease = 3

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
	Networks []string  `json:"networks,omitempty"` // SHA-256 of the networks that playing the games takes, sorted

	StaticScores []string `json:"static_scores,omitempty"` // fingerprints of the static scores that games and rows take, sorted; see encode.Game

	Evaluators []Evaluator `json:"evaluators,omitempty"` // models that players ask by name, sorted

	Tags []string `json:"tags,omitempty"` // columns of the games table with tags of imported games: none or all, see gamerow.TagColumns

	Layout        string   `json:"layout"`
	LayoutVersion int      `json:"layout_version"`
	Actions       int      `json:"actions"` // version of the action numbering
	Columns       []string `json:"columns"`
	Description   string   `json:"description"`           // SHA-256 of the description of the numbers; Make fills it in
	Perspective   string   `json:"perspective,omitempty"` // mover, or empty if boards and actions are absolute
	Filter        []string `json:"filter,omitempty"`      // parts of the row filter, in the order in which they are applied
	Deblunder     string   `json:"deblunder,omitempty"`   // threshold and model of the column value_target, or empty without it

	Format     string `json:"format"`
	BoardType  string `json:"board_type"`
	Codec      string `json:"codec"`
	Writer     int    `json:"writer"` // version of the bytes of data files; Make fills it in
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

// EvaluatorsOf returns the evaluators of a kind.
func (p Plan) EvaluatorsOf(kind string) (list []Evaluator) {
	for i := range p.Evaluators {
		if p.Evaluators[i].Kind() == kind {
			list = append(list, p.Evaluators[i])
		}
	}
	return list
}

// A game belongs to one split, by its number and the plan. For a share of p thousandths, one game is drawn
// from each interval of the games ceil(1000k/p) to ceil(1000(k+1)/p)-1, by the seed and k. So the share of
// the first n games is exact within one game, for any n.
//
// Joined games keep the split that they had in their source: Plan.Split has the rule of each. Plans store
// the texts: never change them.

// sourceRule is the text of the rule for the games of a source. Games beyond the last rule follow it too.
const sourceRule = "games=%d seed=%d validation=%d"

// Splits says to which split a game belongs.
type Splits []splitRule

// splitRule is the rule of some games, which it numbers from 0.
type splitRule struct {
	games      uint64 // that follow the rule
	validation uint64 // thousandths
	seed       uint64
}

// newSplits returns the rules that texts name, where own is the rule of the games that are numbered as in
// the plan.
func newSplits(texts []string, own splitRule) (rules Splits, err error) {
	if len(texts) == 0 {
		return Splits{own}, nil
	}
	for _, text := range texts {
		r, err := parseSplitRule(text)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// parseSplitRule reads the rule of a source.
func parseSplitRule(text string) (r splitRule, err error) {
	_, err = fmt.Sscanf(text, sourceRule, &r.games, &r.seed, &r.validation)
	if err != nil || r.text() != text || r.games == 0 || r.validation > thousand {
		return r, fmt.Errorf("check plan: split rule %.60q: %w", text, fault.ErrUnsupported)
	}
	return r, nil
}

func (r splitRule) text() string {
	return fmt.Sprintf(sourceRule, r.games, r.seed, r.validation)
}

// texts returns the rules of the first games.
func (s Splits) texts(games uint64) (list []string) {
	for _, r := range s {
		r.games = min(r.games, games)
		games -= r.games
		if r.games > 0 {
			list = append(list, r.text())
		}
	}
	return list
}

// Validation reports whether a game belongs to the validation split.
func (s Splits) Validation(game uint64) bool { return s.Count(game, 1) > 0 }

// Of returns the split of a game.
func (s Splits) Of(game uint64) string {
	if s.Validation(game) {
		return Validation
	}
	return Train
}

// Count returns how many of n games from first belong to the validation split. It takes as long for
// any n.
func (s Splits) Count(first, n uint64) uint64 { return s.until(first+n) - s.until(first) }

// until returns how many games before end belong to the validation split.
func (s Splits) until(end uint64) (n uint64) {
	for i, r := range s {
		if end <= r.games || i == len(s)-1 {
			return n + r.until(end)
		}
		n += r.until(r.games)
		end -= r.games
	}
	return n
}

// until returns how many games before end belong to the validation split.
func (r splitRule) until(end uint64) uint64 {
	if r.validation == 0 {
		return 0
	}
	k := r.interval(end)
	if r.drawn(k) < end {
		k++
	}
	return k
}

// thousand is the number of parts that shares are given in.
const thousand = 1000

// interval returns the interval in which a game lies.
func (r splitRule) interval(game uint64) uint64 {
	high, low := bits.Mul64(game, r.validation)
	k, _ := bits.Div64(high, low, thousand)
	return k
}

// drawn returns the validation game of interval k.
func (r splitRule) drawn(k uint64) uint64 {
	begin, end := r.begin(k), r.begin(k+1)
	offset, _ := bits.Mul64(engine.Mix(engine.Mix(r.seed^splitStream)+k), end-begin)
	return begin + offset
}

// splitStream sets the draws of splits apart from the numbers that games draw from the same seed.
const splitStream = 0x73706c6974 // "split"

// begin returns the first game of interval k.
func (r splitRule) begin(k uint64) uint64 {
	return (k*thousand + r.validation - 1) / r.validation
}

// Shards returns the number of shards of a dataset of games games.
func (p Plan) Shards(games uint64) int {
	n := uint64(p.ShardGames)
	return int(games/n + min(games%n, 1))
}

// GamesOf returns the first game of shard s and its number of games, in a dataset of target
// games. The last shard may be short.
func (p Plan) GamesOf(s int, target uint64) (first, n uint64) {
	first = uint64(s) * uint64(p.ShardGames)
	return first, min(uint64(p.ShardGames), target-first)
}

// Count returns how many of the given games are in shard s of a dataset of target games, without the
// first committed ones.
func (p Plan) Count(s int, committed, target uint64, games map[uint64]bool) (n uint64) {
	first, size := p.GamesOf(s, target)
	for game := range games {
		if game >= first && game-first >= committed && game-first < size {
			n++
		}
	}
	return n
}

// CountJournaled returns the numbers of games in the wanted shards of a dataset of target games by shard,
// given the games by shard and the number of committed games of each. Shards without games are left out.
func (p Plan) CountJournaled(target uint64, games map[int]map[uint64]bool, committed func(shard int) uint64, want func(shard int) bool) map[int]uint64 {
	counts := map[int]uint64{}
	for s, numbers := range games {
		if s >= p.Shards(target) || !want(s) {
			continue
		}
		if n := p.Count(s, committed(s), target, numbers); n > 0 {
			counts[s] = n
		}
	}
	return counts
}

// Total returns the games of all shards.
func Total(games map[int]uint64) (n uint64) {
	for _, of := range games {
		n += of
	}
	return n
}

// Numbers returns the numbers of n games, from first.
func Numbers(first, n uint64) []uint64 {
	games := make([]uint64, n)
	for i := range games {
		games[i] = first + uint64(i)
	}
	return games
}

// Splits returns the rules of the plan, which is valid.
func (p Plan) Splits() Splits {
	own := splitRule{games: math.MaxUint64, validation: uint64(p.Validation), seed: p.Seed}
	rules, err := newSplits(p.Split, own)
	if err != nil {
		panic("plan: " + err.Error())
	}
	return rules
}

// SplitOfSource returns the rules, for Plan.Split, that keep the splits of the first games of the plan where
// these are joined with others.
func (p Plan) SplitOfSource(games uint64) []string { return p.Splits().texts(games) }

// Part is what one split has of a shard: at least one game, in a file of each table.
type Part struct {
	Split string
	Games uint64
}

// Parts returns the parts of shard s if it has the given number of games.
func (p Plan) Parts(s int, games uint64) (list []Part) {
	first, _ := p.GamesOf(s, ^uint64(0))
	validation := p.Splits().Count(first, games)
	if games > validation {
		list = append(list, Part{Train, games - validation})
	}
	if validation > 0 {
		list = append(list, Part{Validation, validation})
	}
	return list
}

// DataNames returns the names of the data files of shard s if it has the given number of games: those of
// positions and of games for each part.
func (p Plan) DataNames(s int, games uint64) (names []string) {
	for _, part := range p.Parts(s, games) {
		for _, table := range Tables {
			names = append(names, p.DataName(table, part.Split, s, games))
		}
	}
	return names
}

// DataName returns the name of a data file of shard s if it has the given number of games. A short shard has
// the number in its names: its files can lie beside those of the longer shard that takes its place.
func (p Plan) DataName(table, split string, s int, games uint64) string {
	if games == uint64(p.ShardGames) {
		return path.Join(table, fmt.Sprintf("%s-%05d.%s", split, s, p.Format))
	}
	return path.Join(table, fmt.Sprintf("%s-%05d-%d.%s", split, s, games, p.Format))
}

// ShardOfFile is the inverse of DataName. It is false for other names.
func (p Plan) ShardOfFile(name string) (s int, games uint64, ok bool) {
	split, rest, _ := strings.Cut(path.Base(name), "-")
	numbers, _, _ := strings.Cut(rest, ".")
	number, count, short := strings.Cut(numbers, "-")
	s, err := strconv.Atoi(number)
	games = uint64(p.ShardGames)
	if short && err == nil {
		games, err = strconv.ParseUint(count, 10, 64)
	}
	known := err == nil && s >= 0 && s < MaxShards && games >= 1 && games <= uint64(p.ShardGames) && (split == Train || split == Validation)
	return s, games, known && slices.ContainsFunc(Tables[:], func(table string) bool { return p.DataName(table, split, s, games) == name })
}

// SplitOfName returns the split of a data file by its name.
func SplitOfName(name string) string {
	split, _, _ := strings.Cut(path.Base(name), "-")
	return split
}
