package gameindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

// savedFile returns an index with three shards and its file.
func savedFile(t testing.TB) (*Index, []byte) {
	t.Helper()
	ix := set{games: 20, player: "ab:depth=1"}.open(t)
	return ix, ix.encode(t, ix.state.Load())
}

// encode returns the bytes of the index file of a state.
func (ix *Index) encode(t testing.TB, s *state) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, ix.write(&b, s))
	return b.Bytes()
}

func (ix *Index) decode(data []byte) (*state, error) {
	return ix.read(bytes.NewReader(data), int64(len(data)))
}

// TestColumnsHave28BytesAGame: as the package comment says.
func TestColumnsHave28BytesAGame(t *testing.T) {
	n := 0
	for _, c := range shardColumns {
		n += c.kind.Size()
	}
	if n != 28 {
		t.Errorf("%d bytes a game, want 28", n)
	}
}

// TestEveryDamageOfTheFileIsNoticed: any flipped bit and any other length.
func TestEveryDamageOfTheFileIsNoticed(t *testing.T) {
	ix, data := savedFile(t)
	s, err := ix.decode(data)
	if err != nil || len(s.shards) != 3 || !reflect.DeepEqual(s.players.names, ix.state.Load().players.names) {
		t.Fatalf("%+v, %v", s, err)
	}
	for i := range data {
		for _, bit := range []byte{1, 128} {
			data[i] ^= bit
			if _, err := ix.decode(data); !errors.Is(err, datasets.ErrCorrupt) {
				t.Fatalf("byte %d of %d: %v", i, len(data), err)
			}
			data[i] ^= bit
		}
		if _, err := ix.decode(data[:i]); !errors.Is(err, datasets.ErrCorrupt) {
			t.Fatalf("%d of %d bytes: %v", i, len(data), err)
		}
	}
	if _, err := ix.decode(append(data, 0)); !errors.Is(err, datasets.ErrCorrupt) {
		t.Errorf("one byte more: %v", err)
	}
}

// TestLargeFilesHaveSeveralBatches: shards are in several batches, and a game may have players of
// its own.
func TestLargeFilesHaveSeveralBatches(t *testing.T) {
	ix, n := set{games: 1}.open(t), newNumbering(players{})
	var shards []*shard
	for i := range 5 {
		s := newShard(&record.Commit{Shard: i, Games: batchGames/2 + 1})
		for row := range s.players {
			s.reason[row], s.drop[row], s.opening[5][row] = uint8(i), uint16(row), uint16(row+i)
			s.players[row] = n.number(fmt.Append(nil, "player ", row), fmt.Append(nil, "player ", i))
		}
		s.sum = fmt.Sprint("sum ", i)
		shards = append(shards, s)
	}
	want := newState(shards, n.players)
	if got, err := ix.decode(ix.encode(t, want)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("other games or players, or %v", err)
	}
}

// TestForeignFilesAreReplaced: a file of anything else counts as missing, and saving replaces it.
func TestForeignFilesAreReplaced(t *testing.T) {
	root, cache := set{games: 20}.made(t), t.TempDir()
	_, other := savedFile(t)
	for name, data := range map[string][]byte{
		"empty": {}, "text": []byte("hello"), "of version 1": []byte("SPgames1\x02\x00\x00\x00\x00\x00\x00\x00{}"), "of another dataset": other,
	} {
		t.Log(name)
		must.Do(t, os.WriteFile(fileName(cache, root), data, 0o644))
		ix := loaded(t, root, cache, 0)
		must.Do(t, errors.Join(ix.Update(t.Context()), ix.Close()))
		loaded(t, root, cache, 3)
	}
	if names, err := filepath.Glob(filepath.Join(cache, "*")); err != nil || len(names) != 2 {
		t.Errorf("files in the cache: %v, %v, want the index and its lock", names, err)
	}
}

// TestOneProcessSavesAtATime: while another one does, an index goes on without saving.
func TestOneProcessSavesAtATime(t *testing.T) {
	root, cache := set{games: 20}.made(t), t.TempDir()
	file := fileName(cache, root)
	unlock, held, err := disk.TryLockFile(file + lockSuffix)
	if err != nil || !held {
		t.Fatal(held, err)
	}
	ix := updated(t, root, cache)
	if err := ix.Close(); err != nil || ix.Status().Saving != nil {
		t.Errorf("while it is locked: %v, %v", err, ix.Status().Saving)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("while it is locked: %v", err)
	}
	must.Do(t, errors.Join(unlock(), ix.Close()))
	loaded(t, root, cache, 3)
}

// TestAnotherModelMakesAnotherFile: drops depend on the model.
func TestAnotherModelMakesAnotherFile(t *testing.T) {
	ix, data := savedFile(t)
	for _, change := range []func(){func() { ix.shape.WDL.A++ }, func() { ix.shape.WDL.B++ }, func() { ix.shape.WDL = nil }} {
		change()
		if _, err := ix.decode(data); !errors.Is(err, datasets.ErrCorrupt) {
			t.Errorf("model %+v: %v", ix.shape.WDL, err)
		}
	}
}

// TestDatasetsOfOneNameHaveTheirOwnFiles.
func TestDatasetsOfOneNameHaveTheirOwnFiles(t *testing.T) {
	seen := map[string]string{}
	for _, root := range []string{"/a/night", "/b/night", "s3://a/night", "s3://b/night", "night"} {
		name := fileName("cache", root)
		if other, taken := seen[name]; taken || filepath.Dir(name) != "cache" {
			t.Errorf("%s and %s: %s", root, other, name)
		}
		seen[name] = root
	}
	if fileName("c", "/a/night/") != fileName("c", "/a/night") || fileName("c", "/a/b/../night") != fileName("c", "/a/night") {
		t.Error("two names of one folder have two files")
	}
}

// FuzzReadFile: any bytes give an index or an error, in memory that the bytes bound. The sum is
// set right, so that what it guards is read.
func FuzzReadFile(f *testing.F) {
	ix, data := savedFile(f)
	f.Add(data, 0, byte(0))
	for _, at := range []int{8, 16, 20, len(data) / 3, len(data) / 2} {
		f.Add(data, at, byte(7))
		f.Add(data[:at], 0, byte(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, at int, change byte) {
		data = bytes.Clone(data)
		if at >= 0 && at < len(data) {
			data[at] ^= change
		}
		if n := len(data) - sumBytes; n >= 0 {
			binary.LittleEndian.PutUint64(data[n:], xxh3.Hash(data[:n]))
		}
		s, err := ix.decode(data)
		if err != nil {
			return
		}
		for _, sh := range s.shards {
			for row := range sh.games() {
				s.game(sh, row)
			}
		}
	})
}

// TestNamesOfIndexFilesAreShort: also for datasets with names that leave no room for a suffix.
func TestNamesOfIndexFilesAreShort(t *testing.T) {
	for _, name := range []string{strings.Repeat("a", 250), "x" + strings.Repeat("ờ", 80)} {
		root := filepath.Join("/data", name)
		file := filepath.Base(fileName("cache", root)) + partialSuffix
		if len(file) > 200 || !utf8.ValidString(file) || fileName("cache", root) == fileName("cache", root+"b") {
			t.Errorf("%d bytes: %q", len(file), file)
		}
	}
}
