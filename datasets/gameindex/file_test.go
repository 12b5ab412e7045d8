package gameindex

import (
	"bytes"
	"encoding/binary"
	"errors"
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
)

// savedFile returns an index with three shards and its file.
func savedFile(t testing.TB) (*Index, []byte) {
	t.Helper()
	ix := set{games: 20, player: "ab:depth=1"}.open(t)
	return ix, ix.encode()
}

// encode returns the bytes of the index file.
func (ix *Index) encode() []byte {
	var b bytes.Buffer
	if err := ix.write(&b, ix.state.Load()); err != nil {
		panic(err) // memory has room
	}
	return b.Bytes()
}

func (ix *Index) decode(data []byte) ([]*shard, players, error) {
	return ix.read(bytes.NewReader(data), int64(len(data)))
}

// TestColumnsHave24BytesAGame: as the package comment says.
func TestColumnsHave24BytesAGame(t *testing.T) {
	n := 0
	for _, c := range shardColumns {
		n += c.kind.Size()
	}
	if n != 24 {
		t.Errorf("%d bytes a game, want 24", n)
	}
}

// TestEveryDamageOfTheFileIsNoticed: any flipped bit and any other length.
func TestEveryDamageOfTheFileIsNoticed(t *testing.T) {
	ix, data := savedFile(t)
	shards, p, err := ix.decode(data)
	if err != nil || len(shards) != 3 || !reflect.DeepEqual(p.names, ix.state.Load().players.names) {
		t.Fatalf("%d shards, %v, %v", len(shards), p, err)
	}
	for i := range data {
		for _, bit := range []byte{1, 128} {
			data[i] ^= bit
			if _, _, err := ix.decode(data); !errors.Is(err, datasets.ErrCorrupt) {
				t.Fatalf("byte %d of %d: %v", i, len(data), err)
			}
			data[i] ^= bit
		}
		if _, _, err := ix.decode(data[:i]); !errors.Is(err, datasets.ErrCorrupt) {
			t.Fatalf("%d of %d bytes: %v", i, len(data), err)
		}
	}
	if _, _, err := ix.decode(append(data, 0)); !errors.Is(err, datasets.ErrCorrupt) {
		t.Errorf("one byte more: %v", err)
	}
}

// TestForeignFilesAreReplaced: a file of anything else counts as missing, and saving replaces it.
func TestForeignFilesAreReplaced(t *testing.T) {
	root, cache := filepath.Join(t.TempDir(), "set"), t.TempDir()
	set{games: 20}.make(t, root)
	other := set{games: 20, player: "ab:depth=1"}.open(t)
	for name, data := range map[string][]byte{
		"empty": {}, "text": []byte("hello"), "of version 1": []byte("SPgames1\x02\x00\x00\x00\x00\x00\x00\x00{}"), "of another dataset": other.encode(),
	} {
		file := fileName(cache, root)
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		ix, err := Open(root, cache)
		if err != nil || ix.Status().Indexed != 0 {
			t.Fatalf("%s: %+v, %v", name, ix.Status(), err)
		}
		if err := errors.Join(ix.Update(t.Context()), ix.Close()); err != nil {
			t.Fatal(err)
		}
		if ix, err = Open(root, cache); err != nil || ix.Status().Indexed != 3 {
			t.Errorf("%s, saved again: %+v, %v", name, ix.Status(), err)
		}
	}
	if names, err := filepath.Glob(filepath.Join(cache, "*")); err != nil || len(names) != 2 {
		t.Errorf("files in the cache: %v, %v, want the index and its lock", names, err)
	}
}

// TestOneProcessSavesAtATime: while another one does, an index goes on without saving.
func TestOneProcessSavesAtATime(t *testing.T) {
	root, cache := filepath.Join(t.TempDir(), "set"), t.TempDir()
	set{games: 20}.make(t, root)
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
	if err := errors.Join(unlock(), ix.Close()); err != nil {
		t.Fatal(err)
	}
	if ix, err := Open(root, cache); err != nil || ix.Status().Indexed != 3 {
		t.Errorf("%+v, %v", ix.Status(), err)
	}
}

// TestAnotherModelMakesAnotherFile: drops depend on the model.
func TestAnotherModelMakesAnotherFile(t *testing.T) {
	ix, data := savedFile(t)
	for _, change := range []func(){func() { ix.shape.WDL.A++ }, func() { ix.shape.WDL.B++ }, func() { ix.shape.WDL = nil }} {
		change()
		if _, _, err := ix.decode(data); !errors.Is(err, datasets.ErrCorrupt) {
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
		shards, p, err := ix.decode(data)
		if err != nil {
			return
		}
		s := newState(shards, p)
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
