//go:build !nos3

package program

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"selfplay/cmd/internal/s3store/s3test"
	"selfplay/internal/must"
)

// TestStoreWithTwoWriters: runs of one plan at the same time, on machines that share nothing but
// the store, both end well and make the same objects once.
func TestStoreWithTwoWriters(t *testing.T) {
	server, dir := startStore(t), filepath.Join(t.TempDir(), "d")
	want := localTree(t, storeRun(dir))
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	for round := range rounds {
		name := fmt.Sprint("d", round)
		var group sync.WaitGroup
		for range 2 {
			process := newProcess(t, nil, storeRun(server.Dataset(name), "--scratch", t.TempDir())...)
			group.Go(func() {
				if text, err := process.CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, text)
				}
			})
		}
		group.Wait()
		checkEqual(t, server, name, want)
	}
}

// TestStoreSurvivesKills: a run that is killed during each of its uploads, before the store has
// the object or after, ends with the same objects as an undisturbed one.
func TestStoreSurvivesKills(t *testing.T) {
	server, dir, scratch := startStore(t), filepath.Join(t.TempDir(), "d"), t.TempDir()
	url, want := server.Dataset("d"), localTree(t, storeRun(dir))
	kills := 0
	for n := 1; ; n++ {
		reached, after := make(chan struct{}), n%2 == 0
		// Two open shards need twice four files and a record: only late kills leave a complete one.
		server.SetFault(killAt(server, int32(2+n%13), reached, after))
		process := newProcess(t, nil, storeRun(url, "--scratch", scratch)...)
		must.Do(t, process.Start())
		ended := make(chan error, 1)
		go func() { ended <- process.Wait() }()
		select {
		case <-reached:
			process.Process.Kill()
			<-ended
			kills++
			continue
		case err := <-ended:
			must.Do(t, err)
		}
		break
	}
	server.SetFault(nil)
	if t.Logf("%d kills", kills); kills < 5 {
		t.Errorf("%d kills, want more", kills)
	}
	checkEqual(t, server, "d", want)
	mustRun(t, "verify", "--deep", url)
}

// killAt closes reached at the nth PUT, and lets the client wait for the answer until it is dead.
// With after, the store gets the object first.
func killAt(server *s3test.Server, n int32, reached chan struct{}, after bool) s3test.Fault {
	var puts atomic.Int32
	return func(r *http.Request) http.HandlerFunc {
		if r.Method != http.MethodPut || puts.Add(1) != n {
			return nil
		}
		return func(w http.ResponseWriter, r *http.Request) {
			if after {
				server.Pass(discard{w.Header()}, r)
			}
			close(reached)
			s3test.Hang(w, r)
		}
	}
}

// discard is a response that is dropped.
type discard struct{ header http.Header }

func (d discard) Header() http.Header { return d.header }

func (d discard) Write(p []byte) (int, error) { return len(p), nil }

func (d discard) WriteHeader(int) {}

// TestStoreUnderFaults: a store that answers one of four requests with an error, a delay or
// nothing costs time only.
func TestStoreUnderFaults(t *testing.T) {
	server, dir := startStore(t), filepath.Join(t.TempDir(), "d")
	want := localTree(t, storeRun(dir))
	answers := []http.HandlerFunc{
		s3test.Answer(500, "InternalError"), s3test.Answer(503, "SlowDown"), s3test.CutOff, s3test.Answer(409, "ConditionalRequestConflict"),
	}
	uploads := append(answers, s3test.Answer(400, "RequestTimeout")) // of a body that did not come in time
	var requests atomic.Int32
	server.SetFault(func(r *http.Request) http.HandlerFunc {
		switch n := int(requests.Add(1)); {
		case n%4 == 0 && r.Method == http.MethodPut:
			return uploads[n/4%len(uploads)]
		case n%4 == 0:
			return answers[n/4%len(answers)]
		case n%9 == 0:
			time.Sleep(50 * time.Millisecond)
		}
		return nil
	})
	url := server.Dataset("d")
	mustRun(t, storeRun(url)...)
	mustRun(t, "verify", url)
	server.SetFault(nil)
	checkEqual(t, server, "d", want)
}

// TestStoreHintsWork: what verify and other commands say about damage in a store removes it.
func TestStoreHintsWork(t *testing.T) {
	server, dir := startStore(t), filepath.Join(t.TempDir(), "d")
	url, want := server.Dataset("d"), localTree(t, storeRun(dir))
	mustRun(t, storeRun(url)...)
	files := []string{"games/train-00002.parquet", "positions/train-00002.parquet", ".selfplay/commits/00002.json"}
	const advice = "of a damaged shard NNNNN both data files and .selfplay/commits/NNNNN.json, then repeat the command"
	for _, damaged := range []string{files[0], files[2], "manifest.json", "README.md", ".selfplay/target.json"} {
		server.Put(t, "d/"+damaged, "damage")
		for _, args := range [][]string{{"verify", url}, {"info", url}, {"repair", url}} {
			switch o := selfplay("", args...); {
			case o.code == 0 && args[0] == "info": // it reads no data file
			case o.code == 0 || !strings.Contains(o.stderr, advice) || strings.Contains(o.stderr, "run selfplay repair"):
				t.Errorf("%s, %v: %+v, want %q", damaged, args, o, advice)
			}
		}
		if !strings.Contains(damaged, "00002") {
			server.Remove(t, "d/"+damaged)
		} else {
			for _, file := range files {
				server.Remove(t, "d/"+file)
			}
		}
		mustRun(t, storeRun(url)...)
		checkEqual(t, server, "d", want)
		mustRun(t, "verify", url)
	}
}

// TestStoreThatLags: a store whose listings lack the newest records loses nothing. No manifest shows
// that there are more.
func TestStoreThatLags(t *testing.T) {
	server, dir := startStore(t), filepath.Join(t.TempDir(), "d")
	url, want := server.Dataset("d"), localTree(t, taskRun(dir))
	mustRun(t, taskRun(url, "--task-count", "1", "--task-index", "0")...)
	lag := server.ListWithout("d/.selfplay/commits/00004.json", "d/.selfplay/commits/00005.json")
	var uploads atomic.Int32
	server.SetFault(func(r *http.Request) http.HandlerFunc {
		if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "-0000") {
			uploads.Add(1)
		}
		return lag(r)
	})
	for _, args := range [][]string{{"finalize", url}, {"finalize", "--as-it-stands", url}, taskRun(url)} {
		mustStop(t, selfplay("", args...), 1, ".json exists, but was not in the listing")
	}
	if n := uploads.Load(); n > 0 {
		t.Errorf("%d files of shards were sent again", n)
	}
	server.SetFault(nil)
	mustRun(t, "finalize", url)
	checkEqual(t, server, "d", want)
	mustRun(t, "verify", url)
}

// taskRun is a run of six whole shards, which tasks can make.
func taskRun(out string, more ...string) []string {
	return append([]string{"run", "--game", "contrast", "--player", "random", "--games", "120", "--shard-games", "20", "--seed", "7", "--workers", "1", "--quiet", "--out", out}, more...)
}

// meanwhile does something once, before or after the store gets the first PUT of an object, and before
// its client gets the answer.
func meanwhile(server *s3test.Server, name string, after bool, do func()) s3test.Fault {
	var done atomic.Bool
	return func(r *http.Request) http.HandlerFunc {
		if r.Method != http.MethodPut || !strings.HasSuffix(r.URL.Path, name) || !done.CompareAndSwap(false, true) {
			return nil
		}
		return func(w http.ResponseWriter, r *http.Request) {
			if !after {
				do()
			}
			server.Pass(w, r)
			if after {
				do()
			}
		}
	}
}

// storedTarget returns the target of dataset d.
func storedTarget(t *testing.T, server *s3test.Server) (games int) {
	t.Helper()
	text := server.Objects(t, "d")[".selfplay/target.json"]
	if _, err := fmt.Sscanf(text, `{"format":1,"games":%d}`, &games); err != nil {
		t.Errorf("target %q: %v", text, err)
	}
	return games
}

// TestFinalizeWhileATaskRuns: a task of another machine notices that finalize has lowered the target,
// wherever it is, and stops. The dataset stays what its target says, and can be extended again.
func TestFinalizeWhileATaskRuns(t *testing.T) {
	want := localTree(t, taskRun(filepath.Join(t.TempDir(), "d")))
	for _, c := range []struct {
		name, object string
		after        bool
		games        int // target at the end
		stderr       string
	}{
		{"before the files of a shard", "commits/00003.json", true, 80, "make shard 00004: the target was lowered to 80 games while this run makes more"},
		{"before its record", "positions/train-00003.parquet", false, 80, "it is 80 games again, because the shard was committed at that moment"},
		{"after its record was sent", "commits/00003.json", false, 80, "it is 80 games again, because the shard was committed at that moment"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := startStore(t)
			url := server.Dataset("d")
			mustRun(t, taskRun(url, "--games", "60")...)
			server.SetFault(meanwhile(server, c.object, c.after, func() { mustRun(t, "finalize", "--as-it-stands", url, "--scratch", t.TempDir()) }))
			text, err := newProcess(t, nil, taskRun(url, "--task-count", "1", "--task-index", "0", "--scratch", t.TempDir())...).CombinedOutput()
			mustStop(t, outcome{code: processCode(err), stderr: string(text)}, 2, c.stderr)
			server.SetFault(nil)
			if games := storedTarget(t, server); games != c.games {
				t.Errorf("target of %d games, want %d", games, c.games)
			}
			mustRun(t, "finalize", url)
			mustRun(t, "verify", url)
			mustRun(t, taskRun(url)...)
			checkEqual(t, server, "d", want)
		})
	}
}

// TestTasksWhileFinalizeRuns: finalize notices what other machines do between its requests. It fails,
// and the target stays what it was or what a run has set.
func TestTasksWhileFinalizeRuns(t *testing.T) {
	want := localTree(t, taskRun(filepath.Join(t.TempDir(), "d")))
	for _, c := range []struct {
		name, object string
		games        string // of the run meanwhile
		target       int
		stderr       string
	}{
		{"a shard is committed", ".selfplay/target.json", "120", 120, ".json exists, but was not in the listing"},
		{"a run extends the dataset", ".selfplay/target.json", "140", 140, "another process has changed it: a run works on the dataset"},
		{"a run begins at the end", "manifest.json", "120", 120, "another process has changed it: a run works on the dataset"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := startStore(t)
			url := server.Dataset("d")
			mustRun(t, taskRun(url, "--games", "60", "--task-count", "1", "--task-index", "0")...)
			server.Put(t, "d/.selfplay/target.json", `{"format":1,"games":120}`) // of a run that has begun
			server.SetFault(meanwhile(server, c.object, false, func() {
				mustRun(t, taskRun(url, "--games", c.games, "--task-count", "1", "--task-index", "0", "--scratch", t.TempDir())...)
			}))
			text, err := newProcess(t, nil, "finalize", "--as-it-stands", url, "--scratch", t.TempDir()).CombinedOutput()
			mustStop(t, outcome{code: processCode(err), stderr: string(text)}, 1, c.stderr)
			server.SetFault(nil)
			if games := storedTarget(t, server); games != c.target {
				t.Errorf("target of %d games, want %d", games, c.target)
			}
			mustRun(t, "finalize", url)
			mustRun(t, "verify", url)
			if c.target == 120 {
				checkEqual(t, server, "d", want)
			}
		})
	}
}

// TestFinalizeWarnsOfObjectsWithoutRecord: no lock says whether a task is about to record them, so they stay.
func TestFinalizeWarnsOfObjectsWithoutRecord(t *testing.T) {
	server := startStore(t)
	url := server.Dataset("d")
	mustRun(t, taskRun(url, "--games", "60", "--task-count", "1", "--task-index", "0")...)
	server.Put(t, "d/.selfplay/target.json", `{"format":1,"games":120}`) // of a run that was killed
	server.Put(t, "d/games/train-00003.parquet", "a shard")
	text, err := newProcess(t, nil, "finalize", "--as-it-stands", url, "--scratch", t.TempDir()).CombinedOutput()
	if err != nil || !strings.Contains(string(text), "warning: no record names 1 data file, such as games/train-00003.parquet: ") {
		t.Errorf("%v: %s", err, text)
	}
	mustStop(t, selfplay("", "verify", url), 4, "delete the files that verify lists")
}

// TestExtensionInAStore: every change of an object fails in turn, with all that follow. No game that counts is lost, and
// the same command then makes what a local run makes.
func TestExtensionInAStore(t *testing.T) {
	want := localTree(t, storeRun(filepath.Join(t.TempDir(), "d"), "--games", "115"))
	server := startStore(t)
	mustRun(t, storeRun(server.Dataset("short"))...)
	before := server.Objects(t, "short")
	for fail := int64(1); ; fail++ {
		name := fmt.Sprint("d", fail)
		for object, text := range before {
			server.Put(t, name+"/"+object, text)
		}
		url, changes := server.Dataset(name), new(atomic.Int64)
		server.SetFault(func(r *http.Request) http.HandlerFunc {
			if r.Method != http.MethodPut && r.Method != http.MethodDelete || changes.Add(1) < fail {
				return nil
			}
			return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }
		})
		o := selfplay("", storeRun(url, "--games", "115")...)
		server.SetFault(nil)
		var r struct {
			Games    uint64
			Problems []any
		}
		must.Do(t, json.Unmarshal([]byte(mustRun(t, "verify", "--json", url)), &r))
		if r.Games != 110 && r.Games != 115 || len(r.Problems) > 0 {
			t.Errorf("change %d: %+v", fail, r)
		}
		mustRun(t, storeRun(url, "--games", "115")...)
		checkEqual(t, server, name, want)
		if changes.Load() < fail {
			if o.code != 0 {
				t.Errorf("%+v", o)
			}
			t.Logf("%d changes of objects", fail-1)
			return
		}
	}
}

// TestRunsExtendAShardAtOnce: a run to other games replaces the record of the short shard, or finalize writes the
// manifest, just before this one does.
func TestRunsExtendAShardAtOnce(t *testing.T) {
	want := localTree(t, storeRun(filepath.Join(t.TempDir(), "d"), "--games", "130"))
	for _, c := range []struct {
		name, object string
		args, other  []string
		code         int
		stderr       string
	}{
		{"to more games", ".selfplay/commits/00005.json", []string{"--games", "115"}, []string{"--games", "130"}, 0, ""},
		{"to fewer games", ".selfplay/commits/00005.json", []string{"--games", "130"}, []string{"--games", "115"}, 0, ""},
		{"before the manifest", "manifest.json", nil, []string{"--games", "130"}, 1, "has 20 games, and had 10: a run has just extended its shard"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := startStore(t)
			url := server.Dataset("d")
			mustRun(t, storeRun(url)...)
			args := append([]string{"finalize", url}, "--scratch", t.TempDir())
			if c.args != nil {
				args = storeRun(url, append(c.args, "--scratch", t.TempDir())...)
			} else {
				server.Remove(t, "d/manifest.json")
			}
			server.SetFault(meanwhile(server, c.object, false, func() { mustRun(t, storeRun(url, append(c.other, "--scratch", t.TempDir())...)...) }))
			text, err := newProcess(t, nil, args...).CombinedOutput()
			mustStop(t, outcome{code: processCode(err), stderr: string(text)}, c.code, c.stderr)
			server.SetFault(nil)
			mustRun(t, storeRun(url, "--games", "130")...)
			mustRun(t, "verify", url)
			checkEqual(t, server, "d", want)
		})
	}
}
