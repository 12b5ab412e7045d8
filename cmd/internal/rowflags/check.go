package rowflags

import (
	"os"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets/disk"
	"selfplay/datasets/making"
	"selfplay/datasets/record"
)

// Values of --check.
const (
	checkFull  = "full"
	checkLight = "light"
)

// CheckFlag returns --check: how much of each new file is read back.
func CheckFlag() cli.Flag {
	return &cli.StringFlag{Name: "check", Category: app.Output, Value: checkFull,
		Usage: "`LEVEL` at which new files are read back before they count: full, all bytes and rows, or light, whether both ends decode, which misses some flipped bits"}
}

// Check reads --check, which changes no byte of the dataset.
func Check(c *cli.Context) (record.CheckLevel, error) {
	switch check := c.String("check"); check {
	case checkFull:
		return record.CheckFull, nil
	case checkLight:
		return record.CheckLight, nil
	default:
		return 0, app.Usage("unknown check %q: want full or light", check)
	}
}

// MakeOut makes the directory of a dataset; an object store needs none. Commands call it before the first game is
// played, so that an unusable path is refused at once.
func MakeOut(dir string) error {
	if disk.IsURL(dir) {
		return app.CheckStore(dir)
	}
	if err := making.CheckNested(dir); err != nil {
		return app.Usage("%v", err)
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return app.Usage("make dataset: %s is not a directory", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return app.Usage("make dataset: %v", err)
	}
	return nil
}
