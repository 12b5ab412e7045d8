//go:build !nos3

package program

import (
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

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

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
		for _, args := range [][]string{{"verify", url}, {"info", url}, {"export", "repair", url}} {
			switch o := selfplay("", args...); {
			case o.code == 0 && args[0] == "info": // it reads no data file
			case o.code == 0 || !strings.Contains(o.stderr, advice) || strings.Contains(o.stderr, "run selfplay export repair"):
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
		mustFail(t, selfplay("", args...), 1, ".json exists, but was not in the listing")
	}
	if n := uploads.Load(); n > 0 {
		t.Errorf("%d files of shards were sent again", n)
	}
	server.SetFault(nil)
	mustRun(t, "finalize", url)
	checkEqual(t, server, "d", want)
	mustRun(t, "verify", url)
}
