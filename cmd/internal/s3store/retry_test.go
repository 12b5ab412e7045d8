package s3store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"selfplay/cmd/internal/s3store/s3test"
	"selfplay/datasets/disk"
	"selfplay/internal/must"
)

// gaveUp checks that a request to a store that hangs ends with an error, long before its minute.
func gaveUp(t *testing.T, what string, begin time.Time, err error) {
	t.Helper()
	if took := time.Since(begin); err == nil || took > 30*time.Second {
		t.Errorf("%s: %v after %v, want an error in less than half a minute", what, err, took)
	}
}

// TestHangingStoreIsGivenUp: the time of a request that moves nothing does not grow with its object.
func TestHangingStoreIsGivenUp(t *testing.T) {
	d, server := open(t)
	server.Put(t, "d/plan.json", "plan")
	if _, err := d.ReadFile("plan.json"); err != nil { // the store has answered: it is worth a wait
		t.Fatal(err)
	}
	setRetries(t, time.Second, 300*time.Millisecond)
	d = openAt(t, server)
	stall := s3test.Stall(t)
	server.SetFault(func(*http.Request) http.HandlerFunc { return stall })
	begin := time.Now()
	gaveUp(t, "upload", begin, d.Publish(temp(t, d, noise(30<<20)), data)) // more than the system buffers
	begin = time.Now()
	_, err := d.List("positions")
	gaveUp(t, "listing", begin, err)
	server.SetFault(func(*http.Request) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { // some bytes, and no more
			for name, value := range map[string]string{
				"Content-Length": "100000", "Content-Range": "bytes 0-99999/100000", "ETag": `"0"`, "Last-Modified": "Sun, 22 Nov 2026 00:00:00 GMT",
			} {
				w.Header().Set(name, value)
			}
			w.WriteHeader(http.StatusPartialContent)
			_, _ = io.WriteString(w, strings.Repeat("x", 1000))
			_ = http.NewResponseController(w).Flush()
			stall(w, r)
		}
	})
	begin = time.Now()
	_, err = d.ReadFile("plan.json")
	gaveUp(t, "download", begin, err)
}

// TestSlowTransferIsNoHang: bytes that keep coming keep a request alive.
func TestSlowTransferIsNoHang(t *testing.T) {
	_, server := open(t)
	setRetries(t, 0, time.Second) // one attempt
	server.SetFault(func(r *http.Request) http.HandlerFunc {
		if r.Method != http.MethodPut || !strings.HasSuffix(r.URL.Path, data) {
			return nil
		}
		return func(w http.ResponseWriter, r *http.Request) {
			for range 14 { // 1.4 s
				time.Sleep(100 * time.Millisecond)
				_, _ = io.CopyN(io.Discard, r.Body, 1<<20)
			}
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("ETag", `"0"`)
		}
	})
	d := openAt(t, server)
	must.Do(t, d.Publish(temp(t, d, noise(16<<20)), data))
}

// TestAnswersThatAreCutOffAreAskedForAgain: listings and errors, with a length that is not reached and
// without one.
func TestAnswersThatAreCutOffAreAskedForAgain(t *testing.T) {
	for name, promised := range map[string]string{"with a length": "1000", "without a length": ""} {
		for _, c := range []struct {
			what, body string
			status     int
			ask        func(d disk.Dir) error
		}{
			{"listing", "<ListBucketResult><Name>b</Name><Contents><Key>d/posit", 200, listPositions},
			{"error of a listing", "<Error><Code>Slow", 503, listPositions},
			{"error of a read", "<Error><Code>Internal", 500, readPlan},
			{"error of a write", "<Error><Code>Operation", 409, func(d disk.Dir) error { return d.Create(record, []byte("record")) }},
		} {
			t.Run(c.what+" "+name, func(t *testing.T) {
				_, server := open(t)
				server.Put(t, "d/plan.json", "plan")
				server.Put(t, "d/positions/train-00000.parquet", "rows")
				d, left := openAt(t, server), atomic.Int32{}
				left.Store(2)
				server.SetFault(func(*http.Request) http.HandlerFunc {
					if left.Add(-1) < 0 {
						return nil
					}
					return func(w http.ResponseWriter, r *http.Request) {
						_, _ = io.Copy(io.Discard, r.Body)
						if promised != "" {
							w.Header().Set("Content-Length", promised)
						}
						w.WriteHeader(c.status)
						_, _ = io.WriteString(w, c.body)
					}
				})
				must.Do(t, c.ask(d))
			})
		}
	}
}

func listPositions(d disk.Dir) error {
	names, err := d.List("positions")
	if err == nil && len(names) != 1 {
		err = fmt.Errorf("%d names, want one", len(names))
	}
	return err
}

func readPlan(d disk.Dir) error {
	_, err := d.ReadFile("plan.json")
	return err
}

// TestEndOfContextEndsRequests: at once, during a request and during a wait, with the cause.
func TestEndOfContextEndsRequests(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{"request": nil, "wait": s3test.Answer(503, "SlowDown")} {
		t.Run(name, func(t *testing.T) {
			server := s3test.Start(t)
			if answer == nil {
				answer = s3test.Stall(t)
			}
			old := retries
			retries.shortest, retries.longest = time.Minute, time.Minute
			t.Cleanup(func() { retries = old })
			cause := errors.New("a signal")
			ctx, cancel := context.WithCancelCause(t.Context())
			d := must.Get(Open(server.Dataset("d"), Settings{Scratch: t.TempDir(), Context: ctx}))(t)
			must.Do(t, d.MakeFolders(disk.TempFolder))
			server.SetFault(func(*http.Request) http.HandlerFunc { return answer })
			time.AfterFunc(200*time.Millisecond, func() { cancel(cause) })
			begin := time.Now()
			if err := d.Create(record, []byte("record")); !errors.Is(err, cause) {
				t.Errorf("%v, want %v", err, cause)
			}
			if _, err := d.ReadFile(record); !errors.Is(err, cause) {
				t.Errorf("read: %v, want %v", err, cause)
			}
			if took := time.Since(begin); took > 30*time.Second {
				t.Errorf("%v, want 0.2 s", took)
			}
		})
	}
}
