package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/datasets/disk"
	"selfplay/datasets/output"
	"selfplay/internal/count"
)

// Groups of flags in the help of a command: the Category of a flag. The help prints them in
// the order of groups.
const (
	groupGame     = "GAME"
	groupNone     = "FLAGS"
	groupPlayers  = "PLAYERS"
	groupOpenings = "OPENINGS, EXPLORATION AND ADJUDICATION"
	groupRows     = "ROWS"
	groupOutput   = "OUTPUT"
	groupCluster  = "CLUSTER"
	groupStores   = "OBJECT STORES"
	groupLogging  = "LOGGING"
)

var flagGroups = []string{groupGame, groupNone, groupPlayers, groupOpenings, groupRows, groupOutput, groupCluster, groupStores, groupLogging}

// Groups of commands in the help of a program: the Category of a command. The help prints
// them in the order of the commands.
const (
	groupMaking   = "MAKE DATASETS"
	groupReading  = "READ DATASETS"
	groupWriting  = "WRITE DATA FOR OTHER PROGRAMS"
	groupAsking   = "ASK ABOUT GAMES AND PLAYERS"
	groupPrograms = "THIS PROGRAM"
)

// countFlag returns a flag for a number of games, rows or plies: 4000, 10k, 1.5M or 1e6.
// Read it with c.Uint64 or c.Int.
func countFlag(name string, value uint64, category, usage string) *cli.GenericFlag {
	n := countValue(value)
	return &cli.GenericFlag{Name: name, Category: category, Usage: usage, Value: &n}
}

// countValue is the value of such a flag. Its text has digits only, which is what package cli
// parses again.
type countValue uint64

func (n *countValue) Set(text string) error {
	v, err := count.Parse(text)
	*n = countValue(v)
	return err
}

func (n *countValue) String() string { return strconv.FormatUint(uint64(*n), 10) }

// jsonFlag returns --json of a command that prints one object.
func jsonFlag() cli.Flag { return jsonFlagFor("print one line of JSON") }

// jsonFlagFor returns --json of a command whose JSON needs more words.
func jsonFlagFor(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "json", Category: groupOutput, Usage: usage}
}

// forceFlag returns --force, for commands that write one file or one folder. checkOutput
// reads it.
func forceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Category: groupOutput, Usage: "replace the output if it already exists; never a dataset"}
}

// checkOutput refuses an output path that already exists, before the work begins. If
// --force is given it accepts an old output that output.CheckReplaceable accepts. It
// removes nothing: package output replaces the old output when the new one is complete, so
// that a failure does not lose the old one. The path "-" means stdout and is always
// accepted.
func checkOutput(c *cli.Context, path string) error {
	if path == "-" {
		return nil
	}
	if err := refuseURL(path); err != nil {
		return err
	}
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("check output: %w", err)
	case !c.Bool("force"):
		return usagef("%s already exists (use --force to replace it)", path)
	}
	if err := output.CheckReplaceable(path); err != nil {
		return usagef("replace %s: %v", path, err)
	}
	return nil
}

// --log-format and its values.
const (
	logFormat = "log-format"

	logText = "text"
	logJSON = "json"
)

// logFlags returns new flags for the program or a command: all have them.
func logFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "quiet", Category: groupLogging, Usage: "print only errors on stderr, and no summary"},
		&cli.StringFlag{Name: logFormat, Category: groupLogging, Value: logText, Usage: "`FORMAT` of the lines on stderr: text or json",
			Action: func(_ *cli.Context, format string) error {
				if format != logText && format != logJSON {
					return usagef("unknown log format %q: want text or json", format)
				}
				return nil
			}},
	}
}

// isQuiet reports whether --quiet is given.
func isQuiet(c *cli.Context) bool { return c.Bool("quiet") }

// logOf returns the logger that the flags ask for. It writes to stderr.
func logOf(c *cli.Context) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if isQuiet(c) {
		o.Level = slog.LevelError
	}
	if c.String(logFormat) == logJSON {
		return slog.New(slog.NewJSONHandler(c.App.ErrWriter, o))
	}
	return slog.New(slog.NewTextHandler(c.App.ErrWriter, o))
}

// findFlag returns a flag of a command by its name, nil if it has none.
func findFlag(c *cli.Command, name string) cli.Flag {
	i := slices.IndexFunc(c.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
	if i < 0 {
		return nil
	}
	return c.Flags[i]
}

// expected describes the values that a flag of the command takes, as in ": expected a whole
// number", after a wrong one, or returns "" if the flag takes any text.
func expected(c *cli.Context, name, value string) string {
	switch findFlag(c.Command, name).(type) {
	case *cli.IntFlag:
		return ": expected a whole number"
	case *cli.Uint64Flag:
		return ": expected a whole number, 0 or more"
	case *cli.Float64Flag:
		return ": expected a number"
	case *cli.DurationFlag:
		return ": expected a duration such as 8h, 90m or 25s"
	case *cli.BoolFlag:
		return ": expected true or false"
	case *cli.GenericFlag: // countFlag
		_, err := count.Parse(value)
		return ": " + cmp.Or(err, count.ErrForm).Error()
	}
	return ""
}

// setFlag sets a flag. Whole numbers are decimal: package cli would read 010 as octal, and take 0x10 and 1_000.
func setFlag(c *cli.Context, name, value string) error {
	switch findFlag(c.Command, name).(type) {
	case *cli.IntFlag:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return err
		}
		value = strconv.FormatInt(n, 10)
	case *cli.Uint64Flag:
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return err
		}
		value = strconv.FormatUint(n, 10)
	}
	return c.Set(name, value)
}

// variablePrefix begins the names of the environment variables of flags.
const variablePrefix = "SELFPLAY_"

// sharedVariables are the flags that the environment sets for every command.
var sharedVariables = []string{"quiet", logFormat, endpointFlag, scratchFlag}

// variableOf returns the environment variable of a flag.
func variableOf(flag string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// setVariables sets flags of the command that are not set from the environment: those with the
// given names, or all if none is given. Only a flag that takes any text takes an empty one.
func setVariables(c *cli.Context, flags ...string) error {
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		text, found := os.LookupEnv(variableOf(name))
		if !found || c.IsSet(name) || len(flags) > 0 && !slices.Contains(flags, name) || text == "" && expected(c, name, text) != "" {
			continue
		}
		if setFlag(c, name, text) != nil {
			return usagef("invalid value %q of %s%s", text, variableOf(name), expected(c, name, text))
		}
	}
	return nil
}

// fromEnvironment reports whether a flag has the value of its environment variable.
func fromEnvironment(c *cli.Context, flag string) bool {
	text, ok := os.LookupEnv(variableOf(flag))
	return ok && c.String(flag) == text
}

// storeScheme begins the URLs of object stores that this program reaches.
const storeScheme = "s3"

// Flags of commands that take datasets.
const (
	endpointFlag = "s3-endpoint"
	scratchFlag  = "scratch"
)

// storeFlags returns flags of a command whose datasets may lie in object stores.
func storeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: endpointFlag, Category: groupStores,
			DefaultText: "from AWS_ENDPOINT_URL, else Amazon S3",
			Usage:       "`URL` of the store for datasets such as s3://BUCKET/PREFIX"},
		&cli.StringFlag{Name: scratchFlag, Category: groupStores,
			DefaultText: "in the user's cache directory",
			Usage:       "keep shards that are being made, and journals, in `DIR` of this machine"},
	}
}

// useStores lets the datasets of a command lie in object stores, which its flags describe. Its requests
// end with the first signal.
func useStores(c *cli.Context) error {
	useStoresUntil(c, c.Context)
	return nil
}

// useStoresUntil is useStores with requests that end with ctx.
func useStoresUntil(c *cli.Context, ctx context.Context) {
	endpoint, scratch := c.String(endpointFlag), c.String(scratchFlag)
	disk.Register(storeScheme, func(url string) (disk.Dir, error) {
		d, err := openStore(ctx, url, endpoint, scratch)
		if err != nil {
			err = usagef("%v", err)
		}
		return d, err
	})
}

// otherStores are URL schemes of stores that are not built in, by the way to reach their data.
var otherStores = map[string][]string{
	"Google Cloud Storage": {"gs", "gcs"},
	"Azure storage":        {"az", "azure", "azblob", "abfs", "abfss", "wasb", "wasbs", "adl"},
}

// checkStore refuses URLs that no dataset can have. It accepts directories.
func checkStore(root string) error {
	scheme, _, isURL := strings.Cut(root, "://")
	if !isURL || scheme == storeScheme {
		return nil
	}
	for store, schemes := range otherStores {
		if slices.Contains(schemes, scheme) {
			return usagef("open %s: %s is reached as s3:// through an S3 gateway (--s3-endpoint), as a folder that rclone mount or "+
				"its FUSE driver mounts, or by rclone copy of a dataset on a disk", root, store)
		}
	}
	return usagef("open %s: want a directory or s3://BUCKET/PREFIX", root)
}

// refuseURL refuses an output in an object store, for commands that write files.
func refuseURL(out string) error {
	if disk.IsURL(out) {
		return usagef("write %s: this command writes to disks only: write there and copy the output", out)
	}
	return nil
}
