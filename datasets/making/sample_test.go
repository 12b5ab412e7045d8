package making

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/scan"
	"selfplay/internal/must"
)

// openings counts how often each file is opened, and the files that are open.
type openings struct {
	disk.FS
	mu    sync.Mutex
	times map[string]int
	open  int
}

type countedFile struct {
	disk.File
	o *openings
}

func (o *openings) Open(name string) (disk.File, error) {
	f, err := o.FS.Open(name)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.times[name]++
	o.open++
	return &countedFile{f, o}, err
}

func (f *countedFile) Close() error {
	f.o.mu.Lock()
	defer f.o.mu.Unlock()
	f.o.open--
	return f.File.Close()
}

// TestASampleOpensEachFileOnce, also if it reads classes of rows before it draws, and leaves none open.
func TestASampleOpensEachFileOnce(t *testing.T) {
	root := made(t, fakePlan(), 11)
	plain := disk.Dir{Root: root, FS: disk.OS{}}
	o := &openings{FS: disk.OS{}, times: map[string]int{}}
	ds := datasets.New(disk.Dir{Root: root, FS: o}, readPlan(t, plain))
	parts := must.Get(ds.Parts())(t)
	for _, rows := range []uint64{1, 40} {
		clear(o.times)
		s := must.Get(query.NewSample(t.Context(), query.SampleOptions{Query: &query.Query{Dataset: ds}, Parts: parts, By: must.Get(query.FindStrata("side"))(t), Rows: rows}))(t)
		for _, err := range s.Tables(t.Context(), new(scan.Counter)) {
			must.Do(t, err)
		}
		want := map[string]int{}
		for _, p := range parts {
			want[plain.Path(p.Files[plan.PositionsFile].Name)] = 1
		}
		if !maps.Equal(o.times, want) || o.open != 0 {
			t.Errorf("%d rows: %d files are open, opened %v of %q", rows, o.open, o.times, slices.Sorted(maps.Keys(want)))
		}
	}
}
