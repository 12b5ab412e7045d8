package s3store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"selfplay/cmd/internal/s3store/s3test"
	"selfplay/datasets/disk"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// setRetries replaces the policy of retries until the test ends: total is the time for all of them, idle
// that of a connection without a byte.
func setRetries(t *testing.T, total, idle time.Duration) {
	t.Helper()
	old := retries
	retries = retryPolicy{shortest: time.Millisecond, longest: 4 * time.Millisecond, first: 4, total: total, idle: idle}
	t.Cleanup(func() { retries = old })
}

// open opens a dataset in a new store. Its local folders exist.
func open(t *testing.T) (disk.Dir, *s3test.Server) {
	t.Helper()
	setRetries(t, time.Second, 5*time.Second)
	server := s3test.Start(t)
	return openAt(t, server), server
}

// openAt opens the dataset as another machine does.
func openAt(t *testing.T, server *s3test.Server) disk.Dir {
	t.Helper()
	d, err := Open(server.Dataset("d"), Settings{Scratch: t.TempDir()})
	if err == nil {
		err = d.MakeFolders(disk.TempFolder)
	}
	must.Do(t, err)
	d.Owner = "1-ab"
	return d
}

// holds checks the content of an object.
func holds(t *testing.T, d disk.Dir, name, want string) {
	t.Helper()
	if got, err := d.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s: %d bytes %.40q, %v; want %d bytes %.40q", name, len(got), got, err, len(want), want)
	}
}

func TestURLs(t *testing.T) {
	enginetest.Conversation(t, "testdata/urls.txt", "Users get other errors", func(url string) string {
		bucket, prefix, err := parseURL(url)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("bucket %q, prefix %q", bucket, prefix)
	})
}

func TestEndpoints(t *testing.T) {
	for _, c := range []struct{ flag, variable, want string }{
		{"", "", amazon},
		{"", "https://s3.example.com", "https://s3.example.com"},
		{"http://127.0.0.1:9000/", "https://s3.example.com", "http://127.0.0.1:9000"},
	} {
		t.Setenv("AWS_ENDPOINT_URL", c.variable)
		if got, _, err := connect(c.flag); err != nil || got != c.want {
			t.Errorf("flag %q, variable %q: %q, %v; want %q", c.flag, c.variable, got, err, c.want)
		}
	}
	for _, wrong := range []string{"s3.example.com", "ftp://s3.example.com", "https://", "https://s3.example.com/bucket", "https://user:word@s3.example.com", "://"} {
		if got, _, err := connect(wrong); err == nil {
			t.Errorf("%q: %q, want an error", wrong, got)
		}
	}
}

// TestDatasetsShareNoScratch: journals of one dataset never get into another.
func TestDatasetsShareNoScratch(t *testing.T) {
	seen := map[string]string{}
	for _, c := range [][3]string{
		{amazon, "bucket", "a"}, {amazon, "bucket", "b"}, {amazon, "bucket", ""}, {amazon, "tekcub", "a"}, {"https://s3.example.com", "bucket", "a"},
	} {
		folder, err := scratchFolder("scratch", c[0], c[1], c[2])
		if err != nil || !filepath.IsAbs(folder) {
			t.Errorf("%v: %q, %v; want an absolute path", c, folder, err)
		}
		if other, found := seen[folder]; found {
			t.Errorf("%v and %s share %s", c, other, folder)
		}
		seen[folder] = strings.Join(c[:], " ")
	}
}

// TestLocalFilesStayLocal: what belongs to one machine makes no request.
func TestLocalFilesStayLocal(t *testing.T) {
	d, server := open(t)
	server.Counted()
	lock := must.Get(disk.Acquire(d, true))(t)
	defer lock.Release()
	for _, name := range []string{".selfplay/journal/00000.ab.log", ".selfplay/runs/1-ab.json"} {
		must.Do(t, d.MakeFolders(filepath.ToSlash(filepath.Dir(name))))
		f := must.Get(d.FS.Create(d.Path(name)))(t)
		f.Close()
		if names, err := d.ListFiles(filepath.ToSlash(filepath.Dir(name))); err != nil || len(names) != 1 {
			t.Errorf("%s: %v, %v", name, names, err)
		}
		if err := d.Remove(name); err != nil {
			t.Error(err)
		}
	}
	if requests, _ := server.Counted(); len(requests) > 0 {
		t.Errorf("requests: %v, want none", requests)
	}
}

// TestCredentialsAreLookedForOnce: anonymous requests do not ask the metadata service of the machine
// each time.
func TestCredentialsAreLookedForOnce(t *testing.T) {
	server, asked := withService(t, func(int) (int, string) { return http.StatusNotFound, "" })
	t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", "")
	d := openAt(t, server)
	holds(t, d, "plan.json", "plan")
	first := asked.Load()
	for range 5 {
		holds(t, d, "plan.json", "plan")
	}
	if n := asked.Load(); first == 0 || n != first {
		t.Errorf("the metadata service was asked %d times for the first object, then %d times, want none", first, n-first)
	}
}

// TestServiceOfCredentialsIsAskedAgain: no request is anonymous because a service that the environment names
// failed once.
func TestServiceOfCredentialsIsAskedAgain(t *testing.T) {
	server, asked := withService(t, func(n int) (int, string) {
		if n == 1 {
			return http.StatusServiceUnavailable, ""
		}
		return http.StatusOK, `{"AccessKeyId":"test","SecretAccessKey":"testtest","Token":"t","Expiration":"2999-01-01T00:00:00Z"}`
	})
	d := openAt(t, server)
	server.SetFault(func(r *http.Request) http.HandlerFunc {
		if r.Header.Get("Authorization") == "" {
			t.Errorf("%s %s without credentials", r.Method, r.URL)
		}
		return nil
	})
	holds(t, d, "plan.json", "plan")
	if n := asked.Load(); n != 2 {
		t.Errorf("asked %d times, want 2", n)
	}
}

// TestServiceThatRefusesCredentials ends with what it says.
func TestServiceThatRefusesCredentials(t *testing.T) {
	server, _ := withService(t, func(int) (int, string) { return http.StatusForbidden, "" })
	if _, err := openAt(t, server).ReadFile("plan.json"); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "403 Forbidden") {
		t.Error(err)
	}
}

// withService starts a store with the object plan.json, and a service of credentials, which is the only place to get
// them from. answer gives status and text of its nth answer.
func withService(t *testing.T, answer func(n int) (int, string)) (*s3test.Server, *atomic.Int32) {
	t.Helper()
	if s3test.IsReal() {
		t.Skip("it knows neither anonymous requests nor these credentials")
	}
	_, server := open(t)
	server.Put(t, "d/plan.json", "plan")
	asked := new(atomic.Int32)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		status, text := answer(int(asked.Add(1)))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(service.Close)
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_EC2_METADATA_DISABLED": "", "AWS_SHARED_CREDENTIALS_FILE": t.TempDir() + "/none",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI": service.URL, "AWS_PROFILE": "anonymous",
	} {
		t.Setenv(name, value)
	}
	metadataEndpoint = service.URL
	t.Cleanup(func() { metadataEndpoint = "" })
	return server, asked
}
