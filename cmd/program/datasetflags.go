package program

import (
	"math"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/engine"
)

// validationName is the name of the flag for the share of the validation split.
const validationName = "validation"

// shardFlags say how games are grouped into shards and splits.
func shardFlags() []cli.Flag {
	return []cli.Flag{
		countFlag("shard-games", plan.DefaultShardGames, groupRows, "put `N` games into each shard, which is two files for each split"),
		&cli.StringFlag{Name: validationName, Category: groupRows, Value: "0.05", Usage: "`FRACTION` of the games in the validation split, in whole thousandths"},
	}
}

// splitFlag is the flag of commands that make a dataset of the games of others, whose splits it replaces.
func splitFlag() cli.Flag {
	return &cli.StringFlag{Name: validationName, Category: groupRows, DefaultText: "the split of each game as it is",
		Usage: "draw a new validation split, with this `FRACTION` of the games, in whole thousandths"}
}

// applySplit changes the split of a plan as splitFlag says.
func applySplit(c *cli.Context, p *plan.Plan) error {
	if !c.IsSet(validationName) {
		return nil
	}
	return readShare(c, p)
}

// readShare reads the share of the validation split into a plan.
func readShare(c *cli.Context, p *plan.Plan) error {
	validation, err := engine.ParseFraction(c.String(validationName))
	if err != nil {
		return usagef("validation %v", err)
	}
	p.Validation, p.Split = int(validation), nil
	return nil
}

// applyShards reads shardFlags into a plan.
func applyShards(c *cli.Context, p *plan.Plan) error {
	games := c.Uint64("shard-games")
	if games == 0 { // in a plan 0 means the default
		return usagef("shard-games 0: want at least 1")
	}
	p.ShardGames = int(min(games, math.MaxInt32)) // Validate has the real limit
	return readShare(c, p)
}

// aboutFlags are texts for the card and for croissant.json. They are not part of the plan.
func aboutFlags() []cli.Flag {
	text := func(name, value, usage string) cli.Flag {
		return &cli.StringFlag{Name: name, Category: groupOutput, DefaultText: value, Usage: usage}
	}
	return []cli.Flag{
		text("title", "from the game's name", "`TITLE` of the dataset on its card"),
		text("licence", "", "`ID` of its licence on the Hugging Face hub, such as cc-by-4.0"),
		text("creator", "", "`NAME` of the person or group that made it"),
		text("date", "none", "`DATE` of publication, such as 2026-11-21; never read from a clock"),
		text("url", "", "`URL` of its web page"),
	}
}

// maxAbout is the maximum length of a text of the card in characters.
const maxAbout = 200

var licenceID = regexp.MustCompile(`^[a-z0-9][a-z0-9.+-]*$`)

// aboutFrom reads aboutFlags.
func aboutFrom(c *cli.Context) (plan.About, error) {
	a := plan.About{
		Title: c.String("title"), Licence: c.String("licence"), Creator: c.String("creator"), Date: c.String("date"), URL: c.String("url"),
	}
	for _, name := range []string{"title", "creator", "url"} {
		text := c.String(name)
		if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxAbout || strings.ContainsFunc(text, unicode.IsControl) {
			return a, usagef("%s %q: want one line of at most %d characters", name, text, maxAbout)
		}
	}
	if a.Licence != "" && (!licenceID.MatchString(a.Licence) || len(a.Licence) > maxAbout) {
		return a, usagef("licence %q: expected an identifier such as cc-by-4.0 or apache-2.0", a.Licence)
	}
	if _, err := time.Parse(time.DateOnly, a.Date); a.Date != "" && err != nil {
		return a, usagef("date %q: expected a date such as 2026-11-21", a.Date)
	}
	if u, err := url.Parse(a.URL); a.URL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		return a, usagef("url %q: want one that begins with https:// or http://", a.URL)
	}
	return a, nil
}

// aboutNames are the flags of these texts.
var aboutNames = []string{"title", "licence", "creator", "date", "url"}

// refuseOtherAbout refuses texts that differ from those of the dataset in out. The command
// that began the dataset fixed them.
func refuseOtherAbout(c *cli.Context, out string, want plan.About) error {
	if !slices.ContainsFunc(aboutNames, c.IsSet) {
		return nil
	}
	ds, err := datasets.Open(out)
	if err != nil {
		return nil // no dataset yet; Make reports any other error
	}
	is := ds.About()
	for _, f := range []struct{ name, is, want string }{
		{"title", is.Title, want.Title}, {"licence", is.Licence, want.Licence}, {"creator", is.Creator, want.Creator},
		{"date", is.Date, want.Date}, {"url", is.URL, want.URL},
	} {
		if c.IsSet(f.name) && f.is != f.want {
			return usagef("%s %q: it is %q in %s, fixed by the run that began the dataset", f.name, f.want, f.is, out)
		}
	}
	return nil
}

// Values of --check.
const (
	checkFull  = "full"
	checkLight = "light"
)

// checkFlag returns --check: how much of each new file is read back.
func checkFlag() cli.Flag {
	return &cli.StringFlag{Name: "check", Category: groupOutput, Value: checkFull,
		Usage: "`LEVEL` at which new files are read back before they count: full, all bytes and rows, or light, whether both ends decode, which misses some flipped bits"}
}

// checkLevelFrom reads --check, which changes no byte of the dataset.
func checkLevelFrom(c *cli.Context) (record.CheckLevel, error) {
	switch check := c.String("check"); check {
	case checkFull:
		return record.CheckFull, nil
	case checkLight:
		return record.CheckLight, nil
	default:
		return 0, usagef("unknown check %q: want full or light", check)
	}
}

// makeOut makes the directory of a dataset; an object store needs none. Commands call it before the first game is
// played, so that an unusable path is refused at once.
func makeOut(dir string) error {
	if disk.IsURL(dir) {
		return checkStore(dir)
	}
	if dir == stdoutName {
		return usagef("make dataset: a dataset cannot be written to stdout: name a folder")
	}
	if err := making.CheckNested(dir); err != nil {
		return usagef("%v", err)
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return usagef("make dataset: %s is not a directory", dir)
	}
	if target, err := os.Readlink(dir); err == nil {
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			return usagef("make dataset: %s is a symbolic link to %s, which does not exist: make that directory first", dir, target)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usagef("make dataset: %v", err)
	}
	return nil
}
