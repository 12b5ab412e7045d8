package making

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

// The actions that drop the files of shards with both splits: of a committed shard part by part, of one
// without a record in the order of the folders.
const (
	pendingOfShard0 = "drop_file positions/train-00000.parquet, drop_file positions/validation-00000.parquet, " +
		"drop_file games/train-00000.parquet, drop_file games/validation-00000.parquet"
	filesOfShard0 = "drop_file positions/train-00000.parquet, drop_file games/train-00000.parquet, " +
		"drop_file positions/validation-00000.parquet, drop_file games/validation-00000.parquet"
	filesOfShard2 = "drop_file positions/train-00002-2.parquet, drop_file games/train-00002-2.parquet, " +
		"drop_file positions/validation-00002-2.parquet, drop_file games/validation-00002-2.parquet"
)

// damages are ways to damage a dataset of 8 games in 3 shards. want lists the actions of
// the repair and the problems that it leaves.
var damages = []struct {
	name   string
	damage func(t *testing.T, root string, files map[string]string)
	want   string
}{
	{"no damage", func(*testing.T, string, map[string]string) {}, ""},
	{"flipped bit of a file", func(t *testing.T, root string, f map[string]string) {
		write(t, root, "positions/validation-00002-2.parquet", flipped(f["positions/validation-00002-2.parquet"]))
	}, "drop_file manifest.json, " + filesOfShard2 + ", drop_record 00002.json, drop_file croissant.json, drop_file README.md"},
	{"missing file", func(t *testing.T, root string, _ map[string]string) {
		remove(t, root, "games/validation-00002-2.parquet")
	}, "drop_file manifest.json, drop_file positions/train-00002-2.parquet, drop_file games/train-00002-2.parquet, " +
		"drop_file positions/validation-00002-2.parquet, drop_record 00002.json, drop_file croissant.json, drop_file README.md"},
	{"all files of a split missing", func(t *testing.T, root string, _ map[string]string) {
		remove(t, root, "games/validation-00002-2.parquet", "positions/validation-00002-2.parquet")
	}, "drop_file manifest.json, drop_file positions/train-00002-2.parquet, drop_file games/train-00002-2.parquet, drop_record 00002.json, " +
		"drop_file croissant.json, drop_file README.md"},
	{"swapped files", func(t *testing.T, root string, f map[string]string) {
		write(t, root, "positions/train-00000.parquet", f["positions/train-00001.parquet"])
		write(t, root, "positions/train-00001.parquet", f["positions/train-00000.parquet"])
	}, "drop_file manifest.json, " + filesOfShard0 + ", drop_record 00000.json, " +
		"drop_file positions/train-00001.parquet, drop_file games/train-00001.parquet, drop_record 00001.json, drop_file croissant.json, drop_file README.md"},
	{"splits of a shard swapped", func(t *testing.T, root string, f map[string]string) {
		write(t, root, "positions/train-00002-2.parquet", f["positions/validation-00002-2.parquet"])
		write(t, root, "positions/validation-00002-2.parquet", f["positions/train-00002-2.parquet"])
	}, "drop_file manifest.json, " + filesOfShard2 + ", drop_record 00002.json, drop_file croissant.json, drop_file README.md"},
	{"damaged record", func(t *testing.T, root string, _ map[string]string) {
		write(t, root, plan.CommitName(0), "{")
	}, "drop_file 00000.json; left 00000.json"},
	{"missing record", func(t *testing.T, root string, _ map[string]string) {
		remove(t, root, plan.CommitName(0))
	}, "; left 00000.json"},
	{"missing record and file", func(t *testing.T, root string, _ map[string]string) {
		remove(t, root, plan.CommitName(0), "positions/train-00000.parquet")
	}, "drop_file manifest.json, drop_file positions/validation-00000.parquet, drop_file games/train-00000.parquet, drop_file games/validation-00000.parquet, " +
		"drop_file croissant.json, drop_file README.md"},
	{"missing record and manifest", func(t *testing.T, root string, _ map[string]string) {
		remove(t, root, plan.CommitName(0), plan.ManifestName)
	}, pendingOfShard0},
	{"missing record and damaged file", func(t *testing.T, root string, f map[string]string) {
		remove(t, root, plan.CommitName(0))
		write(t, root, "positions/train-00000.parquet", flipped(f["positions/train-00000.parquet"]))
	}, "drop_file manifest.json, " + pendingOfShard0 + ", drop_file croissant.json, drop_file README.md"},
	{"record is a folder", func(t *testing.T, root string, _ map[string]string) {
		remove(t, root, plan.CommitName(1), "games/train-00001.parquet")
		must.Do(t, os.Mkdir(filepath.Join(root, plan.CommitName(1)), 0o755))
	}, "drop_file manifest.json, drop_file positions/train-00001.parquet, drop_record 00001.json, drop_file croissant.json, drop_file README.md"},
	{"record under the name of another shard", func(t *testing.T, root string, f map[string]string) {
		write(t, root, plan.CommitName(7), f[plan.CommitName(0)])
	}, "drop_record 00007.json"},
	{"a folder under the name of a journal", func(t *testing.T, root string, _ map[string]string) {
		must.Do(t, os.Mkdir(filepath.Join(root, journal.Folder, "00003.abcdef.log"), 0o755))
	}, "drop_file 00003.abcdef.log"},
	{"foreign record", func(t *testing.T, root string, _ map[string]string) {
		write(t, root, plan.CommitsFolder+"/7.json", "x")
	}, "drop_file 7.json"},
	{"files of a shard before it was extended", func(t *testing.T, root string, f map[string]string) {
		write(t, root, "positions/train-00001-1.parquet", f["positions/train-00001.parquet"])
		write(t, root, "games/validation-00002-1.parquet", f["games/train-00001.parquet"])
	}, "drop_file positions/train-00001-1.parquet, drop_file games/validation-00002-1.parquet"},
	{"files of a shard before it was extended, and damage", func(t *testing.T, root string, f map[string]string) {
		write(t, root, "positions/train-00001-1.parquet", f["positions/train-00001.parquet"])
		write(t, root, "positions/train-00001.parquet", flipped(f["positions/train-00001.parquet"]))
	}, "drop_file manifest.json, drop_file positions/train-00001.parquet, drop_file games/train-00001.parquet, drop_record 00001.json, " +
		"drop_file croissant.json, drop_file README.md"},
	{"files of a shard that grows, without a record", func(t *testing.T, root string, f map[string]string) {
		write(t, root, "positions/train-00002.parquet", f["positions/train-00001.parquet"])
	}, "drop_file positions/train-00002.parquet"},
	{"file of another split", func(t *testing.T, root string, f map[string]string) {
		write(t, root, "games/validation-00001.parquet", f["games/train-00001.parquet"])
	}, "drop_file games/validation-00001.parquet"},
	{"copy of a file under the name of a missing shard", func(t *testing.T, root string, f map[string]string) {
		write(t, root, "games/train-00011.parquet", f["games/validation-00000.parquet"])
	}, "drop_file games/train-00011.parquet"},
	{"damaged target", func(t *testing.T, root string, _ map[string]string) { write(t, root, plan.TargetName, "{") }, "write target.json"},
	{"missing target", func(t *testing.T, root string, _ map[string]string) { remove(t, root, plan.TargetName) }, "write target.json"},
	{"target below the committed games", func(t *testing.T, root string, _ map[string]string) {
		write(t, root, plan.TargetName, string(record.EncodeTarget(7)))
	}, "write target.json"},
	{"target beyond the largest dataset", func(t *testing.T, root string, _ map[string]string) {
		write(t, root, plan.TargetName, string(record.EncodeTarget(1<<63)))
	}, "write target.json"},
	{"damaged manifest", func(t *testing.T, root string, _ map[string]string) { write(t, root, plan.ManifestName, "") }, "write manifest.json"},
	{"manifest with a wrong shard", func(t *testing.T, root string, f map[string]string) {
		write(t, root, plan.ManifestName, strings.Replace(f[plan.ManifestName], `"shard": 1`, `"shard": 7`, 1))
	}, "write manifest.json"},
	{"damaged card", func(t *testing.T, root string, _ map[string]string) { write(t, root, plan.CardName, "") }, "write README.md"},
	{"missing croissant", func(t *testing.T, root string, _ map[string]string) { remove(t, root, plan.CroissantName) }, "write croissant.json"},
	{"both documents damaged", func(t *testing.T, root string, _ map[string]string) {
		write(t, root, plan.CardName, "")
		write(t, root, plan.CroissantName, "")
	}, "write README.md, write croissant.json"},
	{"all derived files damaged", func(t *testing.T, root string, _ map[string]string) {
		write(t, root, plan.CardName, "")
		write(t, root, plan.CroissantName, "[]")
		write(t, root, plan.ManifestName, "{}")
	}, "write README.md, write croissant.json, write manifest.json"},
	{"temporary file of a killed run", func(t *testing.T, root string, _ map[string]string) {
		write(t, root, disk.TempFolder+"/1-ab.games-validation-00001.parquet", "x")
	}, ""},
}

func flipped(s string) string {
	b := []byte(s)
	b[len(b)/2] ^= 4
	return string(b)
}
