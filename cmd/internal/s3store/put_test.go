package s3store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"selfplay/cmd/internal/s3store/s3test"
	"selfplay/datasets/disk"
	"selfplay/internal/must"
)

const (
	record = ".selfplay/commits/00000.json"
	data   = "positions/train-00000.parquet"
)

// temp makes a temporary file.
func temp(t *testing.T, d disk.Dir, text string) (name string) {
	t.Helper()
	name = d.TempName("file")
	must.Do(t, os.WriteFile(d.Path(name), []byte(text), 0o644))
	return name
}

func TestPublishIsCreateOnly(t *testing.T) {
	d, server := open(t)
	must.Do(t, d.Create(record, []byte("mine")))
	for _, other := range []disk.Dir{d, openAt(t, server)} {
		if err := other.Create(record, []byte("other")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%v, want %v", err, fs.ErrExist)
		}
	}
	holds(t, d, record, "mine")
	must.Do(t, d.Replace(record, []byte("replaced")))
	holds(t, d, record, "replaced")
	if names, err := d.List(disk.TempFolder); err != nil || len(names) > 0 {
		t.Errorf("left over: %v, %v", names, err)
	}
}

// TestRacingWriters: of writers of one name exactly one succeeds, and its bytes are there.
func TestRacingWriters(t *testing.T) {
	d, server := open(t)
	for round := range 10 {
		name := fmt.Sprintf("games/train-%05d.parquet", round)
		var winners atomic.Int32
		var won atomic.Value
		var group sync.WaitGroup
		for i := range 8 {
			writer := openAt(t, server)
			group.Go(func() {
				text := strings.Repeat(fmt.Sprint(i), 100_000)
				switch err := writer.Create(name, []byte(text)); {
				case err == nil:
					winners.Add(1)
					won.Store(text)
				case !errors.Is(err, fs.ErrExist):
					t.Error(err)
				}
			})
		}
		group.Wait()
		text, err := d.ReadFile(name)
		if winners.Load() != 1 || err != nil || string(text) != won.Load() {
			t.Errorf("%s: %d winners, %v", name, winners.Load(), err)
		}
	}
}

// TestStoreWithoutCreateOnlyIsRefused: before anything could be overwritten.
func TestStoreWithoutCreateOnlyIsRefused(t *testing.T) {
	d, server := open(t)
	server.Put(t, "d/plan.json", "plan")
	server.SetFault(func(r *http.Request) http.HandlerFunc {
		r.Header.Del("If-None-Match") // as old stores do
		return nil
	})
	if s3test.IsReal() {
		t.Skip("a real server refuses the signature")
	}
	if err := d.Create("plan.json", []byte("other")); err == nil || !strings.Contains(err.Error(), "ignores If-None-Match") {
		t.Errorf("%v, want that the store ignores If-None-Match", err)
	}
	holds(t, d, "plan.json", "plan")
}

// once lets one PUT of a data file get another answer.
func once(answer http.HandlerFunc) s3test.Fault {
	var done atomic.Bool
	return func(r *http.Request) http.HandlerFunc {
		if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/positions/") && done.CompareAndSwap(false, true) {
			return answer
		}
		return nil
	}
}

// always gives all PUTs of data files another answer.
func always(answer http.HandlerFunc) s3test.Fault {
	return func(r *http.Request) http.HandlerFunc {
		if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/positions/") {
			return answer
		}
		return nil
	}
}

// transientAnswers are answers after which the same request may succeed.
var transientAnswers = map[string]http.HandlerFunc{
	"409 conflict":     s3test.Answer(409, "ConditionalRequestConflict"),
	"409 aborted":      s3test.Answer(409, "OperationAborted"),
	"500":              s3test.Answer(500, "InternalError"),
	"502":              s3test.Answer(502, ""),
	"503 slow down":    s3test.Answer(503, "SlowDown"),
	"429":              s3test.Answer(429, "TooManyRequests"),
	"400 time-out":     s3test.Answer(400, "RequestTimeout"),
	"broken off":       s3test.CutOff,
	"no answer at all": func(_ http.ResponseWriter, r *http.Request) { r.Body.Close(); panic(http.ErrAbortHandler) },
}

func TestTransientFaultsAreOvercome(t *testing.T) {
	for name, answer := range transientAnswers {
		t.Run(name, func(t *testing.T) {
			d, server := open(t)
			text := strings.Repeat("row ", 50_000)
			server.SetFault(once(answer))
			must.Do(t, d.Publish(temp(t, d, text), data))
			server.SetFault(nil)
			holds(t, d, data, text)
		})
	}
}

func TestLastingFaultsEndInAnError(t *testing.T) {
	for name, answer := range transientAnswers {
		t.Run(name, func(t *testing.T) {
			d, server := open(t)
			server.SetFault(always(answer))
			if err := d.Publish(temp(t, d, "rows"), data); err == nil || errors.Is(err, fs.ErrExist) {
				t.Errorf("%v, want an error", err)
			}
			server.SetFault(nil)
			if found, err := d.Exists(data); found || err != nil {
				t.Errorf("exists: %t, %v", found, err)
			}
		})
	}
}

// TestSilenceIsOvercome: a store that takes a request and never answers is asked again.
func TestSilenceIsOvercome(t *testing.T) {
	d, server := open(t)
	setRetries(t, time.Second, 300*time.Millisecond)
	server.SetFault(once(s3test.Hang))
	must.Do(t, d.Publish(temp(t, d, "rows"), data))
	server.SetFault(always(s3test.Hang))
	if err := d.Publish(temp(t, d, "rows"), "positions/train-00002.parquet"); err == nil {
		t.Error("no error")
	}
}

// TestLostAnswerIsNotLostData: the store has the object, but its answer is lost. The next attempt
// finds the object, which is the caller's own.
func TestLostAnswerIsNotLostData(t *testing.T) {
	d, server := open(t)
	var lost atomic.Bool
	server.SetFault(func(r *http.Request) http.HandlerFunc {
		if r.Method != http.MethodPut || !strings.Contains(r.URL.Path, "/positions/") || !lost.CompareAndSwap(false, true) {
			return nil
		}
		return func(w http.ResponseWriter, r *http.Request) {
			text := new(bytes.Buffer)
			_, _ = text.ReadFrom(r.Body)
			server.Put(t, "d/"+data, text.String())
			panic(http.ErrAbortHandler)
		}
	})
	if err := d.Publish(temp(t, d, "rows"), data); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v, want %v", err, fs.ErrExist)
	}
	holds(t, d, data, "rows")
}

// TestRefusals: an error says what to do, and another attempt is not made.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
		denied bool
	}{
		{"no bucket", s3test.Answer(404, "NoSuchBucket"), "does not exist: make it first", false},
		{"wrong key", s3test.Answer(403, "InvalidAccessKeyId"), "set AWS_ACCESS_KEY_ID", true},
		{"no user", s3test.Answer(404, "XAdminUserNotFound"), "set AWS_ACCESS_KEY_ID", true},
		{"another 404", s3test.Answer(404, "NoSuchAccount"), "answers 404 NoSuchAccount", false},
		{"wrong secret", s3test.Answer(403, "SignatureDoesNotMatch"), "set AWS_ACCESS_KEY_ID", true},
		{"no right", s3test.Answer(403, "AccessDenied"), "check the credentials and the rights of the bucket", true},
		{"wrong clock", s3test.Answer(403, "RequestTimeTooSkewed"), "the clock of this machine is wrong", true},
		{"not built", s3test.Answer(501, "NotImplemented"), "answers 501 NotImplemented", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, server := open(t)
			server.Counted()
			server.SetFault(func(*http.Request) http.HandlerFunc { return c.answer })
			_, readErr := d.ReadFile("plan.json")
			writeErr := d.Create("plan.json", []byte("plan"))
			for _, err := range []error{readErr, writeErr} {
				if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, fs.ErrPermission) != c.denied || errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%v, want %q", err, c.want)
				}
			}
			if requests, _ := server.Counted(); requests["GET"] != 1 || requests["PUT"] != 1 {
				t.Errorf("requests: %v, want 1 GET and 1 PUT", requests)
			}
		})
	}
}
