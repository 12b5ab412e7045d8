package s3store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"selfplay/cmd/internal/s3store/s3test"
	"selfplay/datasets/disk"
	"selfplay/internal/must"
)

// noise returns bytes that do not repeat.
func noise(n int) string {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return string(b)
}

// TestReadsEqualTheObject: sequential and random reads, for sizes around those of blocks.
func TestReadsEqualTheObject(t *testing.T) {
	d, server := open(t)
	for _, size := range []int{0, 1, firstBlock - 1, firstBlock, firstBlock + 1, maxCached + 5} {
		if size == 0 && !s3test.IsReal() {
			continue
		}
		text := noise(size)
		server.Put(t, "d/"+data, text)
		f := must.Get(d.FS.Open(d.Path(data)))(t)
		if size < 2*firstBlock {
			if err := iotest.TestReader(f, []byte(text)); err != nil {
				t.Errorf("%d bytes: %v", size, err)
			}
		}
		f.Seek(0, io.SeekStart)
		if got, err := io.ReadAll(f); err != nil || string(got) != text {
			t.Errorf("%d bytes: read %d, %v", size, len(got), err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 40 {
			p, at := make([]byte, r.IntN(3000)), int64(r.IntN(size+1))
			n, err := f.ReadAt(p, at)
			want := text[at:min(int(at)+len(p), size)]
			if string(p[:n]) != want || (n < len(p)) != (err == io.EOF) {
				t.Fatalf("%d bytes: ReadAt(%d, %d): %d, %v", size, len(p), at, n, err)
			}
		}
	}
}

// TestFooterIsARange: a reader that looks at both ends of a large object gets little more.
func TestFooterIsARange(t *testing.T) {
	d, server := open(t)
	text := noise(20 << 20)
	server.Put(t, "d/"+data, text)
	server.Counted()
	f := must.Get(d.FS.Open(d.Path(data)))(t)
	size, _ := f.Seek(0, io.SeekEnd)
	footer := make([]byte, 8)
	if _, err := f.ReadAt(footer, size-8); err != nil || string(footer) != text[len(text)-8:] {
		t.Errorf("%q, %v", footer, err)
	}
	must.Get(f.ReadAt(make([]byte, 4000), size-4008))(t)
	if requests, n := server.Counted(); requests["GET"] != 2 || n > firstBlock+tailBlock+1000 {
		t.Errorf("%v requests and %d bytes, want 2 and %d", requests, n, firstBlock+tailBlock)
	}
}

// TestChangedObjectIsAnError: an open object is read as it was opened, or not at all.
func TestChangedObjectIsAnError(t *testing.T) {
	d, server := open(t)
	server.Put(t, "d/"+data, noise(4*firstBlock))
	f := must.Get(d.FS.Open(d.Path(data)))(t)
	if s3test.IsReal() {
		server.Put(t, "d/"+data, strings.ToUpper(noise(4*firstBlock)))
	} else { // the fake store ignores If-Match
		server.SetFault(func(r *http.Request) http.HandlerFunc {
			if r.Header.Get("If-Match") == "" {
				t.Error("a range without If-Match")
			}
			return s3test.Answer(412, "PreconditionFailed")
		})
	}
	if _, err := io.ReadAll(f); !errors.Is(err, errChanged) {
		t.Errorf("%v, want %v", err, errChanged)
	}
}

func TestReadsOvercomeFaults(t *testing.T) {
	cut := func(w http.ResponseWriter, r *http.Request) { // in the middle of the body
		w.Header().Set("Content-Length", "1000")
		w.Header().Set("Content-Range", "bytes 0-999/1000")
		w.Header().Set("ETag", `"0"`)
		w.Header().Set("Last-Modified", "Sun, 22 Nov 2026 00:00:00 GMT")
		w.WriteHeader(http.StatusPartialContent)
		_, _ = w.Write(bytes.Repeat([]byte{1}, 500))
	}
	answers := map[string]http.HandlerFunc{"cut off": cut}
	for name, answer := range transientAnswers {
		answers[name] = answer
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			d, server := open(t)
			server.Put(t, "d/plan.json", "plan")
			var done atomic.Int32
			server.SetFault(func(r *http.Request) http.HandlerFunc {
				if done.Add(1) <= 2 {
					return answer
				}
				return nil
			})
			holds(t, d, "plan.json", "plan")
		})
	}
}

// TestObjectsOpenedAgain: the same object costs one request, a changed one is read anew.
func TestObjectsOpenedAgain(t *testing.T) {
	d, server := open(t)
	for _, text := range []string{noise(4 * firstBlock), strings.ToUpper(noise(4 * firstBlock))} {
		server.Put(t, "d/"+data, text)
		for pass := range 2 {
			server.Counted()
			holds(t, d, data, text)
			if requests, _ := server.Counted(); pass > 0 && requests["GET"] != 1 {
				t.Errorf("%v requests, want 1", requests)
			}
		}
	}
}

// TestMissingObjects: each way to ask says the same.
func TestMissingObjects(t *testing.T) {
	d, _ := open(t)
	if _, err := d.ReadFile("plan.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if found, err := d.Exists("plan.json"); found || err != nil {
		t.Errorf("%t, %v", found, err)
	}
	if names, err := d.List("positions"); len(names) > 0 || err != nil {
		t.Errorf("%v, %v", names, err)
	}
	must.Do(t, d.Remove("plan.json"))
}

// TestListings: more names than one answer has, folders, and a marker of an empty folder.
func TestListings(t *testing.T) {
	d, server := open(t)
	for i := range 30 {
		server.Put(t, fmt.Sprintf("d/positions/train-%05d.parquet", i), strings.Repeat("x", i+1))
	}
	if !s3test.IsReal() { // which makes a folder of it
		server.Put(t, "d/positions/", "-")
	}
	server.Put(t, "d/positions/.DS_Store", "-")
	server.Put(t, "d/positions/sub/file", "-")
	server.Put(t, "d/plan.json", "plan")
	server.Put(t, "dd/other", "-")
	if names, err := d.List("positions"); err != nil || len(names) != 31 || names[0] != "sub" || names[1] != "train-00000.parquet" {
		t.Errorf("%d names, %v, %v", len(names), names, err)
	}
	if names, err := d.ListFiles("positions"); err != nil || len(names) != 30 {
		t.Errorf("%d files, %v", len(names), err)
	}
	if names, err := d.List("."); err != nil || strings.Join(names, " ") != "plan.json positions" {
		t.Errorf("%v, %v", names, err)
	}
}

// TestListingsDoNotHideObjects: an object that a listing lacks is asked for by name; one whose
// size a listing shows needs no request.
func TestListingsDoNotHideObjects(t *testing.T) {
	d, server := open(t)
	for i := range 20 {
		server.Put(t, fmt.Sprintf("d/positions/train-%05d.parquet", i), strings.Repeat("x", i+1))
	}
	must.Get(d.List("positions"))(t)
	server.Put(t, "d/positions/train-00020.parquet", strings.Repeat("x", 21))
	server.Counted()
	for i := range 21 {
		if size, err := d.Size(fmt.Sprintf("positions/train-%05d.parquet", i)); err != nil || size != int64(i+1) {
			t.Errorf("object %d: %d bytes, %v", i, size, err)
		}
	}
	if requests, _ := server.Counted(); requests["HEAD"] != 1 || requests["GET"] != 0 {
		t.Errorf("requests: %v, want 1 HEAD", requests)
	}
}

// TestListingDuringAChange: a listing that began before an object was replaced or removed is not used
// afterwards.
func TestListingDuringAChange(t *testing.T) {
	for name, change := range map[string]func(d disk.Dir) error{
		"replaced": func(d disk.Dir) error { return d.Replace("manifest.json", []byte("longer")) },
		"removed":  func(d disk.Dir) error { return d.Remove("manifest.json") },
	} {
		t.Run(name, func(t *testing.T) {
			d, server := open(t)
			server.Put(t, "d/manifest.json", "short")
			var once sync.Once
			server.SetFault(func(r *http.Request) http.HandlerFunc {
				if r.Method != http.MethodGet || !r.URL.Query().Has("prefix") {
					return nil
				}
				return func(w http.ResponseWriter, r *http.Request) {
					answer := httptest.NewRecorder()
					server.Pass(answer, r)
					once.Do(func() {
						must.Do(t, change(d))
					})
					w.WriteHeader(answer.Code)
					_, _ = answer.Body.WriteTo(w)
				}
			})
			must.Get(d.List("."))(t)
			size, err := d.Size("manifest.json")
			if name == "replaced" && (size != 6 || err != nil) || name == "removed" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%d bytes, %v", size, err)
			}
		})
	}
}

// TestRecordsAreReadAhead: in order, each once, and again when they are opened again.
func TestRecordsAreReadAhead(t *testing.T) {
	d, server := open(t)
	name := func(i int) string { return fmt.Sprintf(".selfplay/commits/%05d.json", i) }
	for i := range 100 {
		server.Put(t, "d/"+name(i), fmt.Sprint("record ", i))
	}
	for pass := range 2 {
		names, err := d.List(".selfplay/commits")
		if err != nil || len(names) != 100 {
			t.Fatal(names, err)
		}
		server.Counted()
		for i := range 100 {
			holds(t, d, name(i), fmt.Sprint("record ", i))
		}
		if requests, _ := server.Counted(); requests["GET"] != 100 {
			t.Errorf("pass %d: %v requests, want 100", pass, requests)
		}
	}
	server.Put(t, "d/"+name(7), "changed")
	holds(t, d, name(7), "changed")
}
