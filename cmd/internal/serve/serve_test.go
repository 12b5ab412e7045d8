package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// newServer returns a server of the datasets in a folder.
func newServer(t testing.TB, dir string, change func(*Options)) *Server {
	t.Helper()
	o := Options{Known: servetest.Known, Dirs: []string{dir}, Cache: t.TempDir(), Addr: "127.0.0.1:0", Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	if change != nil {
		change(&o)
	}
	s := must.Get(New(o))(t)
	return s
}

// serverOf returns a server of one dataset, and its directory.
func serverOf(t *testing.T, name string, d servetest.Dataset) (s *Server, root string) {
	t.Helper()
	dir := t.TempDir()
	root = servetest.Make(t, dir, name, d)
	return newServer(t, dir, nil), root
}

// request returns the answer to a request.
func request(s http.Handler, method, target string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	r.Host = "localhost:8642"
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// askJSON decodes the answer to a GET request that must succeed.
func askJSON[T any](t *testing.T, s http.Handler, target string) (v T) {
	t.Helper()
	w := request(s, "GET", target, nil)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d, %s", target, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatalf("%s: %v: %s", target, err, w.Body)
	}
	return v
}

// servedSets returns a server of a dataset of each game.
func servedSets(t *testing.T) *Server {
	t.Helper()
	dir := t.TempDir()
	servetest.Make(t, dir, "chess", servetest.Dataset{Game: "chess", Player: "ab:depth=1"})
	servetest.Make(t, dir, "cotulenh", servetest.Dataset{Hash: true, Player: "mcts:sims=8", Games: 8})
	servetest.Make(t, dir, "contrast", servetest.Dataset{Game: "contrast"})
	return newServer(t, dir, nil)
}

// checkPolicy: every answer forbids browsers to load anything from elsewhere.
func checkPolicy(t *testing.T, e servetest.Exchange) {
	t.Helper()
	if csp := e.Answer.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'self';") {
		t.Errorf("%s %s: policy %q", e.Method, e.URL, csp)
	}
}

func TestHostsAndTokensThatAreAnswered(t *testing.T) {
	named := newServer(t, t.TempDir(), func(o *Options) { o.Hosts = []string{"Lab.example", "dot.example."} })
	servetest.Converse(t, named, "testdata/hosts.txt")
	secret := newServer(t, t.TempDir(), func(o *Options) { o.Token = "0123456789abcdef" })
	servetest.Converse(t, secret, "testdata/token.txt")
}

func TestTokenFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for content, want := range map[string]string{
		"0123456789abcdef\n":        "",
		"short":                     "want one line of 16 or more",
		"":                          "want one line of 16 or more",
		"0123456789 abcdef":         "want one line",
		strings.Repeat("x", 5_000):  "more than 4096 bytes",
		"0123456789abcdef\nsecond ": "want one line",
	} {
		must.Do(t, os.WriteFile("token", []byte(content), 0o600))
		_, err := ReadToken("token")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", content, err, want)
		}
	}
}

func TestAddressesOfOtherMachinesNeedTokenAndTLS(t *testing.T) {
	enginetest.Conversation(t, "testdata/options.txt", "Servers start otherwise", func(text string) string {
		var o Options
		must.Do(t, json.Unmarshal([]byte(text), &o))
		return fmt.Sprint(o.Check())
	})
}

// TestFilesHaveTheirSums: every file of the list comes whole, in ranges, and not at all if the
// client has it.
func TestFilesHaveTheirSums(t *testing.T) {
	s, root := serverOf(t, "demo", servetest.Dataset{})
	list := askJSON[struct {
		Total int
		Files []struct{ Name, URL, SHA256 string }
	}](t, s, "/api/datasets/demo/files")
	if list.Total != 12 || len(list.Files) != 12 {
		t.Fatalf("%+v", list)
	}
	for _, f := range list.Files {
		data, _ := os.ReadFile(filepath.Join(root, f.Name))
		w := request(s, "GET", f.URL, nil)
		if w.Code != 200 || w.Body.String() != string(data) || w.Header().Get("ETag") != `"`+f.SHA256+`"` {
			t.Errorf("%s: %d %v", f.Name, w.Code, w.Header())
		}
		w = request(s, "GET", f.URL, func(r *http.Request) { r.Header.Set("Range", "bytes=-8") })
		if w.Code != 206 || w.Body.String() != string(data[len(data)-8:]) {
			t.Errorf("%s: range: %d, %d bytes", f.Name, w.Code, w.Body.Len())
		}
		w = request(s, "GET", f.URL, func(r *http.Request) { r.Header.Set("If-None-Match", `"`+f.SHA256+`"`) })
		if w.Code != 304 {
			t.Errorf("%s: %d, want 304", f.Name, w.Code)
		}
		w = request(s, "HEAD", f.URL, nil)
		if w.Code != 200 || w.Body.Len() != 0 || w.Result().ContentLength != int64(len(data)) {
			t.Errorf("%s: HEAD: %d, %d", f.Name, w.Code, w.Result().ContentLength)
		}
	}
	for _, name := range []string{"plan.json", "manifest.json", "croissant.json", "README.md"} {
		if w := request(s, "GET", "/files/demo/"+name, nil); w.Code != 200 || len(w.Header().Get("ETag")) != 66 {
			t.Errorf("%s: %d %v", name, w.Code, w.Header())
		}
	}
}

// TestFilesThatAreNotThoseOfTheRecords: what was changed is not served.
func TestFilesThatAreNotThoseOfTheRecords(t *testing.T) {
	s, root := serverOf(t, "demo", servetest.Dataset{})
	const name = "positions/train-00000.parquet"
	if w := request(s, "GET", "/files/demo/"+name, nil); w.Code != 200 {
		t.Fatal(w.Code)
	}
	data, _ := os.ReadFile(filepath.Join(root, name))
	data[len(data)/2] ^= 1
	os.WriteFile(filepath.Join(root, name), append(data, 0), 0o644)
	if w := request(s, "GET", "/files/demo/"+name, nil); w.Code != 500 || !strings.Contains(w.Body.String(), "damaged") {
		t.Errorf("changed: %d %s", w.Code, w.Body)
	}
}

// TestLinksOutOfADatasetAreNotFollowed: not for files, nor for rows or games, also if what lies
// behind them is what the records say.
func TestLinksOutOfADatasetAreNotFollowed(t *testing.T) {
	dir := t.TempDir()
	root := servetest.Make(t, dir, "demo", servetest.Dataset{Shard: 12})
	for name, paths := range map[string][]string{
		"README.md":                     {"/files/demo/README.md"},
		"positions/train-00000.parquet": {"/files/demo/positions/train-00000.parquet", "/stream?dataset=demo", "/stream?dataset=demo&shuffle=100"},
		"games/train-00000.parquet":     {"/files/demo/games/train-00000.parquet"},
	} {
		inside, outside := filepath.Join(root, name), filepath.Join(t.TempDir(), "file")
		must.Do(t, os.Rename(inside, outside))
		if os.Symlink(outside, inside) != nil {
			t.Skip("no links here")
		}
		s := newServer(t, dir, nil)
		for _, path := range paths {
			if w := request(s, "GET", path, nil); w.Code != 404 || !strings.Contains(w.Body.String(), "a link that leads out") {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		}
		if w := request(s, "GET", "/api/datasets/demo/games", nil); strings.HasPrefix(name, "games/") && strings.Contains(w.Body.String(), `"reason"`) {
			t.Errorf("games behind a link: %d %.200s", w.Code, w.Body)
		}
	}
}

func TestDatasetsAreFoundByName(t *testing.T) {
	dir := t.TempDir()
	servetest.Make(t, dir, "demo", servetest.Dataset{})
	servetest.Make(t, dir, "night/chess", servetest.Dataset{Game: "chess"})
	os.MkdirAll(filepath.Join(dir, "broken"), 0o755)
	os.WriteFile(filepath.Join(dir, "broken", "plan.json"), []byte("{"), 0o644)
	s := newServer(t, dir, nil)
	list := askJSON[struct {
		Datasets []struct {
			Name, Game, State, Error string
			Games                    uint64
		}
	}](t, s, "/api/datasets").Datasets
	if len(list) != 3 || list[0].Name != "broken" || list[0].Error == "" || list[1].Name != "demo" || list[1].State != "done" ||
		list[1].Games != 12 || list[2].Name != "night~chess" || list[2].Game != "chess" {
		t.Fatalf("%+v", list)
	}
	if w := request(s, "GET", "/api/datasets/night~chess", nil); w.Code != 200 || strings.Contains(w.Body.String(), dir) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := request(s, "GET", "/api/datasets/broken", nil); w.Code != 500 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestPanicOfAHandlerIsAnError: the client gets an answer, without the text of the panic.
func TestPanicOfAHandlerIsAnError(t *testing.T) {
	route := route{handle: func(http.ResponseWriter, *http.Request) error { panic("/home/anna/data") }}
	w := request(route.handler(slog.New(slog.NewTextHandler(io.Discard, nil))), "GET", "/", nil)
	if w.Code != 500 || strings.Contains(w.Body.String(), "anna") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
