package app

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/datasets/disk"
)

// storeScheme begins the URLs of object stores that this program reaches.
const storeScheme = "s3"

// Flags of commands that take datasets.
const (
	endpointFlag = "s3-endpoint"
	scratchFlag  = "scratch"
)

// StoreFlags returns flags of a command whose datasets may lie in object stores.
func StoreFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: endpointFlag, Category: Stores,
			DefaultText: "from AWS_ENDPOINT_URL, else Amazon S3",
			Usage:       "`URL` of the store for datasets such as s3://BUCKET/PREFIX"},
		&cli.StringFlag{Name: scratchFlag, Category: Stores,
			DefaultText: "in the user's cache directory",
			Usage:       "keep shards that are being made, and journals, in `DIR` of this machine"},
	}
}

// UseStores lets the datasets of a command lie in object stores, which its flags describe. Its requests
// end with the first signal.
func UseStores(c *cli.Context) error {
	UseStoresUntil(c, c.Context)
	return nil
}

// UseStoresUntil is UseStores with requests that end with ctx.
func UseStoresUntil(c *cli.Context, ctx context.Context) {
	endpoint, scratch := c.String(endpointFlag), c.String(scratchFlag)
	disk.Register(storeScheme, func(url string) (disk.Dir, error) {
		d, err := openStore(ctx, url, endpoint, scratch)
		if err != nil {
			err = Usage("%v", err)
		}
		return d, err
	})
}

// others are URL schemes of stores that are not built in, by the way to reach their data.
var others = map[string][]string{
	"Google Cloud Storage": {"gs", "gcs"},
	"Azure storage":        {"az", "azure", "azblob", "abfs", "abfss", "wasb", "wasbs", "adl"},
}

// CheckStore refuses URLs that no dataset can have. It accepts directories.
func CheckStore(root string) error {
	scheme, _, isURL := strings.Cut(root, "://")
	if !isURL || scheme == storeScheme {
		return nil
	}
	for store, schemes := range others {
		if slices.Contains(schemes, scheme) {
			return Usage("open %s: %s is reached as s3:// through an S3 gateway (--s3-endpoint), as a folder that rclone mount or "+
				"its FUSE driver mounts, or by rclone copy of a dataset on a disk", root, store)
		}
	}
	return Usage("open %s: want a directory or s3://BUCKET/PREFIX", root)
}

// RefuseURL refuses an output in an object store, for commands that write files.
func RefuseURL(out string) error {
	if disk.IsURL(out) {
		return Usage("write %s: this command writes to disks only: write there and copy the output", out)
	}
	return nil
}
