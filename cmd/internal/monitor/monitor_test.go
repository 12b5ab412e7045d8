package monitor

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplay/engine/enginetest"
	"selfplay/internal/goroutine"
	"selfplay/internal/must"
)

func TestTextIsThePrometheusFormat(t *testing.T) {
	text := string(Text([]Label{{"dataset", "a \"b\"\\\n"}}, []Metric{
		{Name: "x_games_total", Help: "Games\nplayed \\ made.", Value: 1e6},
		{Name: "x_info", Help: "Facts.", Labels: []Label{{"game", "bad \xff"}}, Value: 1},
	}))
	text += string(Text(nil, []Metric{{Name: "x", Help: "No labels.", Value: 0.5}}))
	enginetest.Golden(t, "testdata/metrics.txt", text, "Compare it with the format that the package comment names")
}

func TestTargetIsAnAddressOrAFile(t *testing.T) {
	var text strings.Builder
	for _, value := range []string{
		"127.0.0.1:9100", ":9100", "0.0.0.0:0", "[::1]:9100", "node7:9100", "run.prom", "/d/a:1.prom",
		"", "9100", "localhost", "localhost:", "localhost:http", "1.2.3.4:65536", "run.txt", "dir/x:9100", "::1:9100", "http://h:9100/metrics",
	} {
		target, err := ParseTarget(value)
		fmt.Fprintf(&text, "%s\n> %+v, %v\n\n", value, target, err)
	}
	enginetest.Golden(t, "testdata/targets.txt", text.String(), "Decide which values of --metrics are right")
}

// TestFileIsReplacedWhole: a reader never sees a part of the content, and no temporary file
// is left.
func TestFileIsReplacedWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state.json")
	f := must.Get(NewFile(path, []byte("{")))(t)
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Fatalf("NewFile left %v", list)
	}
	contents := []string{"{" + strings.Repeat("a", 1<<16), "{" + strings.Repeat("b", 1<<10)}
	stop := goroutine.Every(time.Millisecond, time.Millisecond, func() {
		if got, err := os.ReadFile(path); err == nil && string(got) != contents[0] && string(got) != contents[1] {
			t.Errorf("read %d bytes", len(got))
		}
	})
	for i := range 200 {
		must.Do(t, f.Replace([]byte(contents[i%2])))
	}
	must.Do(t, stop())
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("left %v", list)
	}
	must.Get(NewFile(path, []byte("{")))(t) // its own file
}

func TestFileOfAnotherProgramIsRefused(t *testing.T) {
	dir := t.TempDir()
	join := func(name string) string { return filepath.Join(dir, name) }
	os.WriteFile(join("thesis.tex"), []byte("mine"), 0o644)
	os.WriteFile(join("short"), []byte("m"), 0o644)
	os.WriteFile(join("empty"), nil, 0o644)
	os.Mkdir(join("folder"), 0o755)
	os.Symlink(join("thesis.tex"), join("link"))
	for name, want := range map[string]string{
		"thesis.tex": "it exists and has other content", "short": "it exists and has other content",
		"folder": "it exists and is not a regular file", "link": "it exists and is not a regular file", "none/x": "no such folder: ",
	} {
		must.Fail(NewFile(join(name), []byte(`{"state"`)))(t, nil, want)
	}
	must.Get(NewFile(join("empty"), []byte("{")))(t)
}

// TestPlantedLinkIsNotFollowed: a link with the name of the temporary file is removed.
func TestPlantedLinkIsNotFollowed(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	os.WriteFile(victim, []byte("mine"), 0o644)
	f := must.Get(NewFile(filepath.Join(dir, "x.prom"), nil))(t)
	if err := os.Symlink(victim, f.temp); err != nil {
		t.Skip("no links here")
	}
	must.Do(t, f.Replace([]byte("new")))
	if got, _ := os.ReadFile(victim); string(got) != "mine" {
		t.Errorf("wrote %q through the link", got)
	}
}

func TestServerAnswersScrapesUntilItIsClosed(t *testing.T) {
	s := must.Get(Serve("127.0.0.1:0", func() []byte { return []byte("x 1\n") }))(t)
	addr := addressOf(s)
	must.Fail(Serve(addr, nil))(t, nil, addr)
	r := must.Get(http.Get(s.URL))(t)
	body, _ := io.ReadAll(r.Body)
	r.Body.Close()
	if r.StatusCode != http.StatusOK || string(body) != "x 1\n" || r.Header.Get("Content-Type") != contentType {
		t.Errorf("%s, %q, %v", r.Status, body, r.Header)
	}
	for method, want := range map[string]int{"POST " + Path: http.StatusMethodNotAllowed, "GET /": http.StatusNotFound} {
		verb, path, _ := strings.Cut(method, " ")
		request, _ := http.NewRequest(verb, "http://"+addr+path, nil)
		if r, err := http.DefaultClient.Do(request); err != nil || r.StatusCode != want {
			t.Errorf("%s: %v, %v", method, r, err)
		}
	}
	idle := must.Get(net.Dial("tcp", addr))(t) // a client that never asks
	defer idle.Close()
	begin := time.Now()
	if err := s.Close(); err != nil || time.Since(begin) > 3*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	must.Fail(net.Dial("tcp", addr))(t, nil, "refused")
}

func TestClosedServerFreesItsAddress(t *testing.T) {
	addr := "127.0.0.1:0"
	for range 3 { // also if it is closed at once
		s := must.Get(Serve(addr, nil))(t)
		addr = addressOf(s)
		must.Do(t, s.Close())
	}
}

func addressOf(s *Server) string {
	return strings.TrimSuffix(strings.TrimPrefix(s.URL, "http://"), Path)
}
