//go:build !nos3

package program

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"selfplay/cmd/internal/cmdtest"
	"selfplay/cmd/internal/s3store/s3test"
	"selfplay/datasets/status"
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
		{"head", "--json"}, {"head", "--rows", "2000"}, {"stats", "--exact"}, {"replay", "--game-index", "7"},
		{"sample", "--rows", "20", "--format", "jsonl", "--out", "-"},
		{"convert", "--format", "csv", "--out", "-"},
		{"report", "--json"}, {"finalize"},
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
	for _, args := range [][]string{{"info"}, {"status"}, {"verify"}, {"head"}, {"stats"}} {
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
	want := localTree(t, []string{"rows", "--perspective", "mover", "--out", filepath.Join(dir, "mover"), filepath.Join(dir, "d")})
	mustRun(t, "rows", "--perspective", "mover", "--out", server.Dataset("mover"), url)
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

// TestStoreThatIsNotThere: a wrong address is an error long before a store that has answered is given up.
func TestStoreThatIsNotThere(t *testing.T) {
	startStore(t)
	t.Setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
	begin := time.Now()
	mustRefuse(t, selfplay("", "info", "s3://bucket/d"), 1, "connection refused")
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("%v, want less than a minute", took)
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
		{[]string{"stats"}, 5}, // the games file
		{[]string{"sample", "--rows", "5", "--format", "csv", "--out", "-"}, 12},
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

// storeStatus returns the last line of status --json, and its text.
func storeStatus(t *testing.T, url string) (s status.Status, text string) {
	t.Helper()
	return lookAt(t, url), mustRun(t, "status", url)
}

// TestStatusOfAStore: it says what can be known, and not what only looks so.
func TestStatusOfAStore(t *testing.T) {
	server := startStore(t)
	url := server.Dataset("d")
	mustRun(t, taskRun(url, "--task-count", "2", "--task-index", "0")...)
	here, text := storeStatus(t, url)
	if !here.Store || here.DiskFree != nil || here.DiskNeeded != nil || here.ScratchFree == nil || here.GamesDone != 60 || here.Target != 120 ||
		!strings.Contains(text, "scratch") || strings.Contains(text, "\ndisk") {
		t.Errorf("on the machine of the task: %+v\n%s", here, text)
	}
	moveScratch(t)
	there, text := storeStatus(t, url)
	if there.State != status.Unfinished || there.ScratchFree != nil || there.DiskFree != nil || there.GamesDone != 60 ||
		!strings.Contains(text, "unfinished; processes of other machines are not seen") || !strings.Contains(text, "if no run works on the dataset") {
		t.Errorf("on another machine: %+v\n%s", there, text)
	}
}

// TestWatchOfAStore: on a machine without a process, it looks until all games are committed.
func TestWatchOfAStore(t *testing.T) {
	server := startStore(t)
	url := server.Dataset("d")
	mustRun(t, taskRun(url, "--task-count", "2", "--task-index", "0")...)
	process := newProcess(t, nil, "status", "--watch", "--json", "--interval", "100ms", "--scratch", t.TempDir(), url)
	pipe, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	must.Do(t, err)
	defer process.Process.Kill()
	var looks []status.Status
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		var s status.Status
		must.Do(t, json.Unmarshal(lines.Bytes(), &s))
		if looks = append(looks, s); len(looks) == 1 { // no process works, and games are missing
			mustRun(t, taskRun(url, "--task-count", "2", "--task-index", "1")...)
		}
	}
	if code := waitOrKill(t, process, 20*time.Second); code != 0 || len(looks) < 2 {
		t.Fatalf("exit code %d after %d looks", code, len(looks))
	}
	if s := looks[len(looks)-1]; s.State != status.Done || s.GamesDone != 120 || s.GamesPerS == 0 || s.Complete {
		t.Errorf("at the end: %+v", s)
	}
}

// hangAt lets requests that contain a text in their path hang, and closes reached at the first one.
func hangAt(text string, reached chan struct{}) s3test.Fault {
	var once sync.Once
	return func(r *http.Request) http.HandlerFunc {
		if !strings.Contains(r.URL.Path, text) {
			return nil
		}
		once.Do(func() { close(reached) })
		return s3test.Hang
	}
}

// waitOrKill waits for a process and returns its exit code. After limit it kills the process.
func waitOrKill(t *testing.T, process *exec.Cmd, limit time.Duration) int {
	t.Helper()
	defer time.AfterFunc(limit, func() { process.Process.Kill() }).Stop()
	return processCode(process.Wait())
}

// patience is the longest time until a process on a loaded machine reaches a request.
const patience = time.Minute

// endAt waits until a request of a process hangs, sends the process a signal unless that is nil, and returns its exit
// code. It kills a process that does not end within limit. One that ends by itself may do so before the request.
func endAt(t *testing.T, process *exec.Cmd, reached chan struct{}, signal os.Signal, limit time.Duration) int {
	t.Helper()
	ended := make(chan int, 1)
	go func() { ended <- processCode(process.Wait()) }()
	select {
	case <-reached:
	case code := <-ended:
		if signal != nil {
			t.Error("the process ended before the request")
		}
		return code
	case <-time.After(patience):
		t.Errorf("no request within %v", patience)
	}
	if signal != nil {
		process.Process.Signal(signal)
	}
	defer time.AfterFunc(limit, func() { process.Process.Kill() }).Stop()
	return <-ended
}

// TestStopWhileTheStoreHangs: a run ends when its grace is over, and a command that reads ends at once,
// although the store does not answer. The same run later loses no game.
func TestStopWhileTheStoreHangs(t *testing.T) {
	const grace, limit = time.Second, 20 * time.Second
	want := localTree(t, storeRun(filepath.Join(t.TempDir(), "d")))
	for _, c := range []struct {
		name, hangs string
		signal      os.Signal
		args        []string // of run
	}{
		{"a signal during an upload", "positions/train-00002.parquet", syscall.SIGTERM, nil},
		{"--stop-after during an upload", "positions/train-00002.parquet", nil, []string{"--stop-after", "2s"}},
		{"a signal at the beginning", "create-only", syscall.SIGTERM, nil},
		{"--stop-after at the beginning", "create-only", nil, []string{"--stop-after", "1s"}},
		{"a signal at the end", "manifest.json", syscall.SIGTERM, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, scratch := startStore(t), t.TempDir()
			url, reached := server.Dataset("d"), make(chan struct{})
			server.SetFault(hangAt(c.hangs, reached))
			args := storeRun(url, "--scratch", scratch, "--grace", grace.String())
			process, stderr := start(t, append(args, c.args...)...)
			if code := endAt(t, process, reached, c.signal, limit); code != 3 || !strings.Contains(stderr.String(), "the same command resumes") {
				t.Errorf("exit code %d, want 3; stderr %s", code, stderr)
			}
			server.SetFault(nil)
			mustRun(t, args...)
			checkEqual(t, server, "d", want)
		})
	}
}

// TestReadersEndWhileTheStoreHangs: with a signal, at once.
func TestReadersEndWhileTheStoreHangs(t *testing.T) {
	server := startStore(t)
	url := server.Dataset("d")
	mustRun(t, storeRun(url)...)
	for _, args := range [][]string{{"info"}, {"verify"}, {"finalize"}, {"status", "--watch"}, {"stats"}} {
		reached := make(chan struct{})
		server.SetFault(hangAt("/d", reached))
		process, stderr := start(t, append(args, url)...)
		if code := endAt(t, process, reached, syscall.SIGTERM, 10*time.Second); code != 3 {
			t.Errorf("%v: exit code %d, want 3; stderr %s", args, code, stderr)
		}
	}
}
