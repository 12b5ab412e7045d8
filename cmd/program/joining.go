package program

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"github.com/zeebo/xxh3"

	"selfplay/datasets"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/shuffle"
	"selfplay/encode"
	"selfplay/engine"
)

// plainPlan returns the plan of a dataset as if its files had no model of scores. A model
// follows from what was played.
func plainPlan(ds *datasets.Dataset) plan.Plan {
	p := ds.Plan()
	p.Description = withoutModel(ds.Description()).Hash()
	return p
}

func withoutModel(d plan.Description) plan.Description {
	d.Metadata = encode.WithoutWDL(d.Metadata)
	return d
}

// differences returns the differences of two plans, apart from what was played and from
// how the dataset is divided and stored.
func differences(p, q plan.Plan) (list []string) {
	q.Players, q.Seed, q.MaxPlies, q.Play, q.Networks = p.Players, p.Seed, p.MaxPlies, p.Play, p.Networks
	q.Tags, q.Evaluators, q.StaticScores = p.Tags, p.Evaluators, p.StaticScores
	q.Format, q.BoardType, q.Codec, q.ShardGames = p.Format, p.BoardType, p.Codec, p.ShardGames
	q.Validation, q.Split = p.Validation, p.Split
	for _, d := range q.Diff(p) {
		list = append(list, fmt.Sprintf("%s is %s, not %s", d.Setting, d.This, d.Is))
	}
	return list
}

// mixPart is a dataset of a mix.
type mixPart struct {
	dir    string
	weight engine.Fraction
	set    *datasets.Dataset
	parts  map[string][]*record.Part // by split
	hashes []uint64                  // see gameHashes
}

// partsFrom reads --weights.
func partsFrom(c *cli.Context, text string) (list []mixPart, err error) {
	sum := engine.Fraction(0)
	for item := range strings.SplitSeq(text, ",") {
		at := strings.LastIndexByte(item, '=')
		if at < 1 {
			return nil, usagef("weights %q: %q is no DIR=WEIGHT", text, item)
		}
		p := mixPart{dir: item[:at], parts: map[string][]*record.Part{}}
		if p.weight, err = engine.ParseFraction(item[at+1:]); err != nil || p.weight == 0 {
			return nil, usagef("weights %q: %q: want a fraction above 0 in whole thousandths, such as 0.7", text, item)
		}
		sum += p.weight
		if p.set, err = datasets.Open(p.dir); err != nil {
			return nil, explainDamage(c, p.dir, err)
		}
		commits, _, err := p.set.FinishedCommits()
		if err != nil {
			return nil, explainDamage(c, p.dir, explainUnfinished(err))
		}
		for _, of := range record.PartsOf(commits) {
			p.parts[of.Split] = append(p.parts[of.Split], of)
		}
		list = append(list, p)
	}
	switch {
	case len(list) < 2:
		return nil, usagef("weights %q: want two or more datasets", text)
	case sum != engine.One:
		return nil, usagef("weights %q: they add up to %s, want 1", text, sum)
	}
	return list, nil
}

// checkParts refuses datasets whose rows cannot be mixed: those with other columns or meanings,
// and those of the same games, whose splits may differ.
func checkParts(c *cli.Context, parts []mixPart) error {
	first := plainPlan(parts[0].set)
	for i := range parts[1:] {
		p := &parts[i+1]
		plan := plainPlan(p.set)
		plan.Filter = first.Filter
		for _, difference := range differences(first, plan) {
			advice := ": make the rows equal with " + ownLine(c, "rows")
			if first.Game != plan.Game || first.Variant != plan.Variant {
				advice = ""
			}
			return usagef("mix %s: its %s, as in %s%s", p.dir, difference, parts[0].dir, advice)
		}
	}
	for i := range parts {
		for j := range parts[:i] {
			if sameGames(&parts[i], &parts[j]) {
				return usagef("mix %s and %s: they have the same games, so rows of one split may be in the other", parts[j].dir, parts[i].dir)
			}
			if maybeSameGames(&parts[i], &parts[j]) {
				return usagef("mix %s and %s: they have the same seed and players, and may have the same games, so rows of one split may be in the other",
					parts[j].dir, parts[i].dir)
			}
			if err := refuseSharedGames(c, &parts[j], &parts[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuseSharedGames refuses datasets with many games in common whose plans do not tell.
func refuseSharedGames(c *cli.Context, a, b *mixPart) error {
	if !mayShareGames(a, b) {
		return nil
	}
	common, of, err := sharedGames(a, b)
	if err != nil {
		return explainDamage(c, a.dir, err)
	}
	if common*sharedLimit >= of && common > 0 {
		return usagef("mix %s and %s: %d of the %d games of the smaller one are in the other, too, so rows of one split may be in the other", a.dir, b.dir, common, of)
	}
	return nil
}

// sameGames reports whether two datasets have games in common: they play or import the same
// ones, or one was made from the other.
func sameGames(a, b *mixPart) bool {
	p, q := a.set.Plan(), b.set.Plan()
	if sameStart(p, q) && slices.Equal(p.Play, q.Play) {
		return true
	}
	for _, hash := range origins(a.set) {
		if slices.Contains(origins(b.set), hash) {
			return true
		}
	}
	return false
}

// maybeSameGames reports whether two datasets have the same seed and players, and one of them was made from others, whose rules
// of play its plan does not have.
func maybeSameGames(a, b *mixPart) bool {
	p, q := a.set.Plan(), b.set.Plan()
	return p.Seed != 0 && sameStart(p, q) && (isDerived(p) || isDerived(q))
}

// sameStart reports whether two plans have what begins a game in common.
func sameStart(p, q plan.Plan) bool {
	return p.Seed == q.Seed && p.Players == q.Players && p.MaxPlies == q.MaxPlies && sameModels(p, q)
}

// sameModels reports whether the players of two plans are the same models and engines.
func sameModels(p, q plan.Plan) bool { return slices.Equal(p.Evaluators, q.Evaluators) }

// isDerived reports whether the games of a plan are those of other datasets.
func isDerived(p plan.Plan) bool {
	return slices.ContainsFunc(p.Play, func(text string) bool { return strings.HasPrefix(text, plan.FromPart) })
}

// origins returns what identifies the games of a dataset: its own plan, those of the datasets
// that it was made from, and the imported files.
func origins(set *datasets.Dataset) []string {
	list := []string{set.PlanHash()}
	for _, text := range set.Plan().Play {
		if from, ok := strings.CutPrefix(text, plan.FromPart); ok {
			hash, _, _ := strings.Cut(from, ":")
			list = append(list, hash)
		}
		if strings.HasPrefix(text, plan.ImportPart) {
			list = append(list, text)
		}
	}
	return list
}

// withoutKeys returns the keys of the first dataset's metadata that do not hold for a mix: its
// plan, its filter, and a model of scores that not all datasets have.
func withoutKeys(parts []mixPart) []string {
	keys := []string{"selfplay.source_plan_hash", "selfplay.filter"}
	for i := range parts {
		if parts[i].set.Description().Hash() != parts[0].set.Description().Hash() {
			return append(keys, encode.WDLKey)
		}
	}
	return keys
}

// mixMetadata says what the rows are a mix of. split is "" if the file says it already.
func mixMetadata(parts []mixPart, o shuffle.MixOptions, split string, shares []uint64) []encode.KeyValue {
	var list []string
	for i := range parts {
		list = append(list, fmt.Sprintf(`{"plan_hash":%q,"weight":%s,"rows":%d}`, parts[i].set.PlanHash(), parts[i].weight, shares[i]))
	}
	text := fmt.Sprintf(`{"seed":"%d","repeat":%t,"buffer":%d,"datasets":[%s]}`, o.Seed, o.Repeat, o.Buffer, strings.Join(list, ","))
	metadata := []encode.KeyValue{{Key: "selfplay.mix", Value: text}}
	if split != "" {
		metadata = append([]encode.KeyValue{{Key: "selfplay.split", Value: split}}, metadata...)
	}
	return metadata
}

// Plans tell most datasets with games in common: see sameGames. But rows, dedup and rescore change plans, one file can be
// imported in two forms, and a rule of play may never apply. So the games are compared, too.

// sharedLimit is the part of the games of the smaller dataset, one in so many, from which on two datasets count as
// having games in common. A few short games may be alike by chance.
const sharedLimit = 5

// mayShareGames reports whether two datasets may have games in common: played games with other seeds are others.
func mayShareGames(a, b *mixPart) bool {
	p, q := a.set.Plan(), b.set.Plan()
	return isDerived(p) || isDerived(q) || len(p.Imported()) > 0 || len(q.Imported()) > 0 || p.Seed == q.Seed
}

// sharedGames returns how many games of the smaller of two datasets the larger one has, too, without repetitions.
func sharedGames(a, b *mixPart) (common, of int, err error) {
	x, err := a.gameHashes()
	if err != nil {
		return 0, 0, err
	}
	y, err := b.gameHashes()
	if err != nil {
		return 0, 0, err
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	for _, hash := range x {
		if _, found := slices.BinarySearch(y, hash); found {
			common++
		}
	}
	return common, len(x), nil
}

// gameHashes returns hashes of start and moves of all distinct games, in ascending order. It reads the games once.
func (p *mixPart) gameHashes() (hashes []uint64, err error) {
	if p.hashes != nil {
		return p.hashes, nil
	}
	var text []byte
	for _, parts := range p.parts {
		for _, of := range parts {
			for r, err := range p.set.Games(of) {
				if err != nil {
					return nil, err
				}
				text = append(gamerow.AppendList(text[:0], &r.Actions), r.Start...)
				hashes = append(hashes, xxh3.Hash(text))
			}
		}
	}
	slices.Sort(hashes)
	p.hashes = slices.Compact(hashes)
	return p.hashes, nil
}
