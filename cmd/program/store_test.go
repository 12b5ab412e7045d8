//go:build !nos3

package program

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/cmd/internal/cmdtest"
	"selfplay/cmd/internal/s3store/s3test"
	"selfplay/internal/must"
)

// storeRun is a short run with splits and a short last shard.
func storeRun(out string, more ...string) []string {
	return append([]string{"run", "--game", "contrast", "--player", "random", "--games", "110", "--shard-games", "20", "--seed", "7", "--quiet", "--out", out}, more...)
}

// startStore starts a store and a scratch directory for this machine.
func startStore(t *testing.T) *s3test.Server {
	t.Helper()
	t.Setenv("SELFPLAY_SCRATCH", t.TempDir())
	return s3test.Start(t)
}

// moveScratch makes this process look like another machine.
func moveScratch(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("SELFPLAY_SCRATCH", dir)
	return dir
}

// localTree returns the files of a local run, without the bookkeeping of the machine.
func localTree(t *testing.T, args []string) map[string]string {
	t.Helper()
	out := args[slices.Index(args, "--out")+1]
	mustRun(t, args...)
	files := map[string]string{}
	err := filepath.WalkDir(out, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(out, path)
		if name != ".selfplay/lock" {
			files[filepath.ToSlash(name)] = string(data)
		}
		return err
	})
	must.Do(t, err)
	return files
}

// checkEqual compares the objects of a dataset with the files of a local run.
func checkEqual(t *testing.T, server *s3test.Server, name string, want map[string]string) {
	t.Helper()
	objects := server.Objects(t, name)
	delete(objects, ".selfplay/create-only")
	for _, file := range slices.Sorted(maps.Keys(want)) {
		switch text, found := objects[file]; {
		case !found:
			t.Errorf("%s is missing in the store", file)
		case text != want[file]:
			t.Errorf("%s: %d bytes that differ from the %d of the local run", file, len(text), len(want[file]))
		}
		delete(objects, file)
	}
	for file := range objects {
		t.Errorf("%s is in the store only", file)
	}
}

// TestStoreEqualsDisk: a run into a store makes the objects that a local run makes as files, and
// every reading command prints the same of both.
func TestStoreEqualsDisk(t *testing.T) {
	server, dir := startStore(t), filepath.Join(t.TempDir(), "d")
	url := server.Dataset("a/d")
	want := localTree(t, storeRun(dir))
	mustRun(t, storeRun(url)...)
	checkEqual(t, server, "a/d", want)

	moveScratch(t)
	for _, args := range [][]string{
		{"info", "--json"}, {"verify", "--json"}, {"verify", "--quick"}, {"verify", "--deep"}, {"verify", "--regenerate"},
		{"head", "--json"}, {"head", "--rows", "2000"}, {"export", "stats", "--exact"}, {"replay", "--game-index", "7"},
		{"export", "sample", "--rows", "20", "--format", "jsonl", "--out", "-"},
		{"export", "convert", "--format", "csv", "--out", "-"},
		{"export", "report", "--json"}, {"finalize"},
	} {
		local, remote := mustRun(t, append(args, dir)...), mustRun(t, append(args, url)...)
		if remote = strings.ReplaceAll(remote, url, dir); local != remote {
			t.Errorf("%v: %.200q of the store, %.200q of the disk", args, remote, local)
		}
	}
	mustRun(t, storeRun(url)...) // nothing is left to make
	checkEqual(t, server, "a/d", want)
}

// TestStoreReadersMakeNoFiles: a command that reads a store leaves nothing on the machine.
func TestStoreReadersMakeNoFiles(t *testing.T) {
	server := startStore(t)
	url := server.Dataset("d")
	mustRun(t, storeRun(url)...)
	scratch := moveScratch(t)
	for _, args := range [][]string{{"info"}, {"status"}, {"verify"}, {"head"}, {"export", "stats"}} {
		mustRun(t, append(args, url)...)
	}
	if files, err := os.ReadDir(scratch); err != nil || len(files) > 0 {
		t.Errorf("%v, %v; want nothing", files, err)
	}
}

// TestStoreMadeFromAnother: the commands that make datasets from others read and write stores.
func TestStoreMadeFromAnother(t *testing.T) {
	server, dir := startStore(t), t.TempDir()
	url := server.Dataset("d")
	mustRun(t, storeRun(url)...)
	mustRun(t, storeRun(filepath.Join(dir, "d"))...)
	want := localTree(t, []string{"export", "rows", "--perspective", "mover", "--out", filepath.Join(dir, "mover"), filepath.Join(dir, "d")})
	mustRun(t, "export", "rows", "--perspective", "mover", "--out", server.Dataset("mover"), url)
	checkEqual(t, server, "mover", want)
}

// TestStoreIsMadeByTasks: four tasks with a scratch of their own, each run twice, and finalize.
func TestStoreIsMadeByTasks(t *testing.T) {
	server, dir := startStore(t), filepath.Join(t.TempDir(), "d")
	url := server.Dataset("d")
	args := func(out string) []string {
		return []string{"run", "--game", "contrast", "--player", "random", "--games", "120", "--shard-games", "20", "--seed", "7", "--quiet", "--out", out}
	}
	want := localTree(t, args(dir))
	for task := range 4 {
		moveScratch(t)
		line := append(args(url), "--task-count", "4", "--task-index", fmt.Sprint(task))
		if task == 2 {
			o := selfplay("", "finalize", url)
			if o.code != 3 || !strings.Contains(o.stderr, "missing shards, by number: 2-3") {
				t.Errorf("finalize: %+v, want the missing shards", o)
			}
			mustRun(t, line...)
		}
		mustRun(t, line...)
	}
	mustRun(t, "finalize", url)
	checkEqual(t, server, "d", want)
}

// TestStoreTranscripts has commands that read and change objects behind the back of the program.
func TestStoreTranscripts(t *testing.T) {
	server := startStore(t)
	object := func(name string) string {
		folder, file, _ := strings.Cut(name, "/")
		return server.Objects(t, folder)[file]
	}
	commands := map[string]cmdtest.Program{
		"selfplay": programs["selfplay"],
		"get":      func(args ...string) cmdtest.Outcome { return cmdtest.Outcome{Stdout: object(args[0])} },
		"put":      func(args ...string) (o cmdtest.Outcome) { server.Put(t, args[0], args[1]); return o },
		"delete":   func(args ...string) (o cmdtest.Outcome) { server.Remove(t, args[0]); return o },
		"replace": func(args ...string) (o cmdtest.Outcome) {
			server.Put(t, args[0], strings.ReplaceAll(object(args[0]), args[1], args[2]))
			return o
		},
	}
	cmdtest.Transcripts(t, "testdata/store/*.txt", commands, func(t *testing.T, _ string) map[string]string {
		return map[string]string{"BUCKET": server.Bucket}
	})
}

// TestStoreChecksCredentials: the error names the variable that has to be set.
func TestStoreChecksCredentials(t *testing.T) {
	if !s3test.IsReal() {
		t.Skip("the fake store knows no credentials")
	}
	server := startStore(t)
	url := server.Dataset("d")
	mustRun(t, storeRun(url)...)
	for name, variables := range map[string][2]string{
		"set AWS_ACCESS_KEY_ID":                {"AWS_ACCESS_KEY_ID", "unknown"},
		"set AWS_ACCESS_KEY_ID and AWS_SECRET": {"AWS_SECRET_ACCESS_KEY", "wrong"},
	} {
		t.Run(variables[0], func(t *testing.T) {
			t.Setenv(variables[0], variables[1])
			mustRefuse(t, selfplay("", "info", url), 2, name)
			mustRefuse(t, selfplay("", storeRun(server.Dataset("e"))...), 2, name)
		})
	}
}

// TestStoreThatIsNotThere: a wrong address is an error within seconds.
func TestStoreThatIsNotThere(t *testing.T) {
	startStore(t)
	t.Setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
	begin := time.Now()
	mustRefuse(t, selfplay("", "info", "s3://bucket/d"), 1, "connection refused")
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("%v, want seconds", took)
	}
}

// TestStoreReadsRanges: the first rows of a large shard take a part of its file.
func TestStoreReadsRanges(t *testing.T) {
	if !s3test.IsReal() {
		t.Skip("the fake store computes no SHA-256")
	}
	server := startStore(t)
	url := server.Dataset("d")
	mustRun(t, "run", "--game", "cotulenh", "--player", "random", "--games", "1000", "--seed", "7", "--quiet", "--out", url)
	var info struct{ Bytes int64 }
	must.Do(t, json.Unmarshal([]byte(mustRun(t, "info", "--json", url)), &info))
	for _, c := range []struct {
		args []string
		most int64 // tenths of all bytes
	}{
		{[]string{"info"}, 1},
		{[]string{"verify", "--quick"}, 1},
		{[]string{"head"}, 3},
		{[]string{"export", "stats"}, 5}, // the games file
		{[]string{"export", "sample", "--rows", "5", "--format", "csv", "--out", "-"}, 12},
		{[]string{"verify"}, 12},
		{[]string{"verify", "--deep"}, 15}, // positions, and games for the replay
	} {
		server.Counted()
		mustRun(t, append(c.args, url)...)
		requests, bytes := server.Counted()
		if bytes > info.Bytes*c.most/10 {
			t.Errorf("%v: %d of %d bytes by %v, want at most %d tenths", c.args, bytes, info.Bytes, requests, c.most)
		}
		t.Logf("%v: %v, %.1f %% of %d bytes", c.args, requests, 100*float64(bytes)/float64(info.Bytes), info.Bytes)
	}
}
