package program

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/ipc"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/internal/must"
)

// folderForms returns the forms that convert writes as a folder of files, of any game.
func folderForms() []tablefile.Form {
	return slices.DeleteFunc(tablefile.Forms(), func(f tablefile.Form) bool {
		return f.Name == plan.Parquet || f.Name == plan.Arrow || f.Chess
	})
}

// partNames are the names of the files of a dataset of 12 games in 3 shards, in the order of a stream.
var partNames = []string{"train-00000", "validation-00000", "train-00001", "validation-00001", "train-00002", "validation-00002"}

// TestConvertWritesOneFilePerPart: with checksums, and with the same bytes for any number of processors.
func TestConvertWritesOneFilePerPart(t *testing.T) {
	dir := randomDataset(t, plan.List)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, f := range folderForms() {
		t.Run(f.Name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			w := object[written](t, "convert", "--json", "--format", f.Name, "--out", out, dir)
			files := tree(t, out)
			want := []string{"SHA256SUMS", "metadata.json"}
			for _, name := range partNames {
				want = append(want, name+f.Ext)
			}
			switch {
			case f.Index:
				want = append(want, "train-index.json", "validation-index.json")
			case f.Fields:
				want = append(want, "dtype.json")
			}
			if found, _ := os.ReadDir(out); len(files) != len(want) || len(found) != len(want) || w.Files != len(partNames) || w.Out != out || w.Rows == 0 {
				t.Errorf("%+v: %v", w, found)
			}
			bytes := 0
			for _, name := range want {
				data, found := files[name]
				if !found {
					t.Errorf("%s is missing", name)
				}
				bytes += len(data)
				if line := fmt.Sprintf("%s  %s\n", sumText([]byte(data)), name); name != "SHA256SUMS" && !strings.Contains(files["SHA256SUMS"], line) {
					t.Errorf("line %q is missing in %s", line, files["SHA256SUMS"])
				}
			}
			if n := strings.Count(files["SHA256SUMS"], "\n"); n != len(want)-1 || int64(bytes) != w.Bytes {
				t.Errorf("%d checksums of %d files; %d bytes, printed %d", n, len(want), bytes, w.Bytes)
			}
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			again := filepath.Join(t.TempDir(), "again")
			if o := export("convert", "--quiet", "--format", f.Name, "--out", again, dir); o.code != 0 || o.stdout+o.stderr != "" {
				t.Fatalf("%+v", o)
			}
			mustEqual(t, tree(t, again), files)
		})
	}
}

// TestStreamIsTheFilesJoined: shard after shard, csv with one header.
func TestStreamIsTheFilesJoined(t *testing.T) {
	for _, game := range encode.Games() {
		dir, out := datasetOf(t, game, &game.Layouts[0], plan.List), t.TempDir()
		rows := mustExport(t, "head", "--rows", "100000", "--json", dir)
		if o := export("convert", "--quiet", "--format", "jsonl", "--out", "-", dir); o.stdout != rows || o.stderr != "" || o.code != 0 {
			t.Errorf("%s: the stream differs from head: %s", game.Name, o.stderr)
		}
		for _, form := range []string{"jsonl", "csv"} {
			mustExport(t, "convert", "--quiet", "--format", form, "--out", filepath.Join(out, form), dir)
			var files string
			for i, name := range partNames {
				data := string(readBytes(t, filepath.Join(out, form, name+"."+form)))
				if form == "csv" && i > 0 {
					_, data, _ = strings.Cut(data, "\n")
				}
				files += data
			}
			if o := export("convert", "--quiet", "--format", form, "--out", "-", dir); o.stdout != files {
				t.Errorf("%s: the stream of %s differs from the files", game.Name, form)
			}
		}
	}
}

// TestConvertFiltersRows: as rows does, in streams, files and shuffled files.
func TestConvertFiltersRows(t *testing.T) {
	dir, tmp := randomDataset(t, plan.List), t.TempDir()
	filter := []string{"--where", "ply>=5,!check,pieces>=30", "--keep", "0.6"}
	mustExport(t, slices.Concat([]string{"rows", "--quiet", "--out", tmp + "/rows", dir}, filter)...)
	want := mustExport(t, "head", "--rows", "100000", "--json", tmp+"/rows")
	if o := export(slices.Concat([]string{"convert", "--quiet", "--format", "jsonl", "--out", "-", dir}, filter)...); o.stdout != want || strings.Count(want, "\n") < 20 || o.code != 0 {
		t.Errorf("%d bytes of rows, want %d; %s", len(o.stdout), len(want), o.stderr)
	}
	for form, ext := range map[string]string{"npz": ".npz", "jsonl": ".jsonl"} {
		for _, command := range []string{"convert", "shuffle"} {
			some, all := filepath.Join(tmp, command+form), filepath.Join(tmp, command+form+"-rows")
			one := export(slices.Concat([]string{command, "--json", "--format", form, "--out", some, dir}, filter)...)
			two := export(command, "--json", "--format", form, "--out", all, tmp+"/rows")
			if one.code != 0 || two.code != 0 {
				t.Fatalf("%+v\n%+v", one, two)
			}
			got, want := tree(t, some), tree(t, all)
			for name := range want {
				if filepath.Ext(name) == ext && ext == ".jsonl" && got[name] != want[name] {
					t.Errorf("%s: %s differs", command, name)
				}
			}
			if len(got) != len(want) || !strings.Contains(got["metadata.json"], `\"where=ply>=5\"`) {
				t.Errorf("%d files, want %d: %s", len(got), len(want), got["metadata.json"])
			}
		}
	}
}

// TestConvertChess: every form of chess as files and as a stream, and shuffled where it has rows.
func TestConvertChess(t *testing.T) {
	game := encode.Chess()
	dir, tmp := datasetOf(t, game, &game.Layouts[0], plan.List), t.TempDir()
	for _, form := range []string{"bulletformat", "binpack", "plain", "epd", "viriformat"} {
		out := filepath.Join(tmp, form)
		if form == "bulletformat" {
			mustRefuse(t, export("convert", "--quiet", "--format", form, "--out", out, dir), 1, ": ply 0: the position has no score: leave such rows out with --where '!unsearched'")
			continue
		}
		mustExport(t, "convert", "--quiet", "--format", form, "--out", out, dir)
		files := tree(t, out)
		stream := export("convert", "--quiet", "--format", form, "--out", "-", dir)
		joined := ""
		for _, name := range partNames {
			joined += files[name+"."+form]
		}
		sameOrder := form != "binpack" && form != "viriformat" // which has the games in order
		if sameOrder && stream.stdout != joined || form == "viriformat" && len(stream.stdout) != len(joined) || stream.code != 0 || len(joined) == 0 {
			t.Errorf("%s: the stream differs from the files: %s", form, stream.stderr)
		}
		if form == "viriformat" {
			mustRefuse(t, export("shuffle", "--quiet", "--format", form, "--out", out+"-shuffled", dir), 2, "unknown format")
			continue
		}
		mustExport(t, "shuffle", "--quiet", "--format", form, "--out", out+"-shuffled", dir)
	}
}

// TestArrowStream: has every row of the chosen split in order.
func TestArrowStream(t *testing.T) {
	for _, boardType := range []string{plan.List, plan.Packed} {
		dir := randomDataset(t, boardType)
		for _, flags := range [][]string{{}, {"--compress"}, {"--split", "train"}, {"--board-type", "packed"}} {
			o := export(slices.Concat([]string{"convert", "--quiet", "--format", "arrow-stream", "--out", "-"}, flags, []string{dir})...)
			if o.code != 0 || o.stderr != "" {
				t.Fatalf("%+v", o)
			}
			r := must.Get(ipc.NewReader(strings.NewReader(o.stdout)))(t)
			var rows int64
			for r.Next() {
				rows += r.Record().NumRows()
			}
			ds := must.Get(datasets.Open(dir))(t)
			info := must.Get(ds.Info())(t)
			want, text := int64(info.Rows), "fixed_size_list"
			if slices.Contains(flags, "train") {
				want = int64(info.Splits[0].Rows)
			}
			if boardType == plan.Packed || slices.Contains(flags, "packed") {
				text = "fixed_size_binary"
			}
			if board := r.Schema().Field(3); r.Err() != nil || rows != want || board.Type.Name() != text {
				t.Errorf("%v: %d rows, want %d; board %s, want %s; %v", flags, rows, want, board.Type.Name(), text, r.Err())
			}
		}
	}
}

// closedPipe is a pipe whose reader closes it after room bytes.
type closedPipe struct{ room int }

func (p *closedPipe) Write(b []byte) (int, error) {
	if p.room -= len(b); p.room < 0 {
		return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
	}
	return len(b), nil
}

// TestClosedPipeIsNoFailure: but a full disk is.
func TestClosedPipeIsNoFailure(t *testing.T) {
	dir := randomDataset(t, plan.List)
	for _, args := range [][]string{
		{"convert", "--format", "arrow-stream"}, {"convert", "--format", "csv"}, {"convert", "--format", "jsonl"}, {"convert", "--format", "webdataset"},
		{"sample", "--rows", "600", "--format", "jsonl"},
	} {
		for _, room := range []int{0, 1 << 18} {
			var stderr bytes.Buffer
			code := runExport(context.Background(), catalog, slices.Concat([]string{"export"}, args, []string{"--quiet", "--out", "-", dir}), nil, &closedPipe{room}, &stderr)
			if code != 0 || stderr.Len() > 0 {
				t.Errorf("%v, %d bytes: exit code %d, %s", args, room, code, stderr.String())
			}
			full := brokenSink{syscall.ENOSPC}
			if code := runExport(context.Background(), catalog, slices.Concat([]string{"export"}, args, []string{"--quiet", "--out", "-", dir}), nil, full, &stderr); code != 1 || !strings.Contains(stderr.String(), "no space left") {
				t.Errorf("%v, full disk: exit code %d, %s", args, code, stderr.String())
			}
		}
	}
}

type brokenSink struct{ err error }

func (s brokenSink) Write([]byte) (int, error) { return 0, s.err }

// TestStoppedConversionLeavesNothing: whether it is stopped before it begins or later.
func TestStoppedConversionLeavesNothing(t *testing.T) {
	dir, tmp := randomDataset(t, plan.List), t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, args := range [][]string{
		{"convert", "--format", "npz", "--out", tmp + "/npz"}, {"convert", "--format", "csv", "--out", tmp + "/csv"},
		{"sample", "--rows", "5", "--by", "ply", "--out", tmp + "/a.npz"}, {"sample", "--rows", "5", "--out", tmp + "/a.csv"},
		{"convert", "--format", "jsonl", "--out", "-"},
	} {
		var stderr bytes.Buffer
		code := runExport(ctx, catalog, slices.Concat([]string{"export"}, args, []string{"--quiet", dir}), nil, io.Discard, &stderr)
		if code != 3 || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: exit code %d, %s", args, code, stderr.String())
		}
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	out := filepath.Join(tmp, "out")
	ctx, stop = context.WithCancel(context.Background())
	go func() {
		defer stop()
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Microsecond) {
			if files, _ := filepath.Glob(out + ".partial/*.tar"); len(files) > 0 {
				return
			}
		}
	}()
	var stderr bytes.Buffer
	code := runExport(ctx, catalog, []string{"export", "convert", "--quiet", "--format", "webdataset", "--out", out, dir}, nil, io.Discard, &stderr)
	left, _ := os.ReadDir(tmp)
	if code == 3 && len(left) > 0 || code != 3 && (code != 0 || len(left) != 1) { // it may finish before the stop
		t.Errorf("exit code %d, %s, and %v is left", code, stderr.String(), left)
	}
}

// TestConvertRemovesTheFilesOfAKilledProcess: but refuses an output that another process
// writes.
func TestConvertRemovesTheFilesOfAKilledProcess(t *testing.T) {
	dir, tmp := randomDataset(t, plan.List), t.TempDir()
	out := filepath.Join(tmp, "out")
	d := must.Get(disk.NewPending(out))(t)
	args := []string{"convert", "--quiet", "--format", "csv", "--out", out, dir}
	mustRefuse(t, export(args...), 11, "is locked by another process")
	d.Discard()
	must.Do(t, os.Mkdir(out+".partial", 0o755))
	writeBytes(t, filepath.Join(out+".partial", ".lock"), nil)
	writeBytes(t, filepath.Join(out+".partial", "train-00000.csv"), []byte("half"))
	writeBytes(t, filepath.Join(out+".partial", "board-17.npy"), []byte("half"))
	mustExport(t, args...)
	if left, _ := os.ReadDir(tmp); len(left) != 1 || len(tree(t, out)) != len(partNames)+2 {
		t.Errorf("%v, %v", left, tree(t, out))
	}
}

// TestForceReplacesAnOutput: with --force a second run replaces the output of the first,
// without --force it is refused.
func TestForceReplacesAnOutput(t *testing.T) {
	dir, tmp := randomDataset(t, plan.List), t.TempDir()
	for _, args := range [][]string{
		{"convert", "--format", "csv", "--out", tmp + "/csv"}, {"shuffle", "--format", "csv", "--out", tmp + "/shuffled"},
		{"sample", "--rows", "5", "--out", tmp + "/a.csv"}, {"report", "--out", tmp + "/a.html"},
	} {
		again := func(flags ...string) outcome {
			return export(append(append(append([]string{}, args...), flags...), "--quiet", dir)...)
		}
		if o := again(); o.code != 0 {
			t.Fatalf("%v: %+v", args, o)
		}
		out := args[len(args)-1]
		mustRefuse(t, again(), 2, out+" already exists (use --force to replace it)")
		before, _ := os.Stat(out)
		if o := again("--force"); o.code != 0 {
			t.Errorf("%v --force: %+v", args, o)
		}
		if after, err := os.Stat(out); err != nil || os.SameFile(before, after) {
			t.Errorf("%v --force did not replace the output: %v", args, err)
		}
	}
	if list, _ := os.ReadDir(tmp); len(list) != 4 {
		t.Errorf("beside the outputs is %v", list)
	}
}

// shuffled returns the files of a shuffle by name.
func shuffled(t *testing.T, dir string, flags ...string) map[string]string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	o := export(slices.Concat([]string{"shuffle", "--quiet", "--out", out}, flags, []string{dir})...)
	if o.code != 0 || o.stdout+o.stderr != "" {
		t.Fatalf("%+v", o)
	}
	return tree(t, out)
}

// linesOf returns the lines of the files of a split, in order.
func linesOf(files map[string]string, split string) (lines []string) {
	var names []string
	for name := range files {
		if strings.HasPrefix(name, split) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		lines = append(lines, strings.SplitAfter(strings.TrimSuffix(files[name], "\n"), "\n")...)
	}
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\n")
	}
	return lines
}

// TestShuffleKeepsEveryRow: of each split, in another order, in files of --file-rows rows.
func TestShuffleKeepsEveryRow(t *testing.T) {
	for _, game := range encode.Games() {
		dir := datasetOf(t, game, &game.Layouts[0], plan.List)
		files := shuffled(t, dir, "--format", "jsonl", "--file-rows", "50")
		for _, split := range []string{"train", "validation"} {
			var want []string
			o := export("convert", "--quiet", "--format", "jsonl", "--split", split, "--out", "-", dir)
			want = strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
			got := linesOf(files, split)
			if slices.Equal(got, want) {
				t.Errorf("%s: the rows of %s are in their old order", game.Name, split)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: the %d rows of %s differ from the %d of the dataset", game.Name, len(got), split, len(want))
			}
		}
		for name, data := range files {
			if n := strings.Count(data, "\n"); strings.HasSuffix(name, ".jsonl") && n > 50 {
				t.Errorf("%s has %d rows", name, n)
			}
		}
		if first := files["train-00000.jsonl"]; strings.Count(first, "\n") != 50 || files["SHA256SUMS"] == "" || files["metadata.json"] == "" {
			t.Errorf("%s: %d files, %d rows in the first", game.Name, len(files), strings.Count(first, "\n"))
		}
	}
}

// TestShuffleRefusesToWriteNoRows: an old output stays.
func TestShuffleRefusesToWriteNoRows(t *testing.T) {
	dir := t.TempDir()
	set, out := randomDataset(t, plan.List), filepath.Join(dir, "out")
	mustExport(t, "shuffle", "--quiet", "--out", out, set)
	want := tree(t, out)
	for flag, want := range map[string]string{
		"":           "no row matches --where ply>60000",
		"--keep=0.5": "no row passes the filter where=ply>60000 keep=0.5",
	} {
		args := append([]string{"shuffle", "--quiet", "--where", "ply>60000", set}, strings.Fields(flag)...)
		want = "shuffle " + set + ": " + want
		mustRefuse(t, export(append(args, "--force", "--out", out)...), 2, want)
		mustRefuse(t, export(append(args, "--out", filepath.Join(dir, "none"))...), 2, want)
	}
	mustEqual(t, tree(t, out), want)
	if list := must.Get(os.ReadDir(dir))(t); len(list) != 1 {
		t.Errorf("%v is left over", list)
	}
}

// TestShuffleDependsOnSeedAndRowsOnly: not on memory or on how the dataset stores the rows.
func TestShuffleDependsOnSeedAndRowsOnly(t *testing.T) {
	list, packed := randomDataset(t, plan.List), randomDataset(t, plan.Packed)
	want := shuffled(t, list, "--format", "csv")
	delete(want, "metadata.json") // names the plan
	delete(want, "SHA256SUMS")
	for _, got := range []map[string]string{
		shuffled(t, list, "--format", "csv", "--memory", "16MiB", "--seed", "1"), shuffled(t, packed, "--format", "csv"),
	} {
		delete(got, "metadata.json")
		delete(got, "SHA256SUMS")
		mustEqual(t, got, want)
	}
	if other := shuffled(t, list, "--format", "csv", "--seed", "2"); other["train-00000.csv"] == want["train-00000.csv"] {
		t.Error("two seeds give the same order")
	}
	for _, form := range folderForms() {
		if files := shuffled(t, list, "--format", form.Name, "--file-rows", "100"); files["train-00001"+form.Ext] == "" || files["validation-00000"+form.Ext] == "" {
			t.Errorf("%s: %d files", form.Name, len(files))
		}
	}
}
