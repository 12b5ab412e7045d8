package serve

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/servetest"
	"selfplay/internal/must"
)

// TestTableOfGamesIsThatOfTheAPI: the games, their order and their values.
func TestTableOfGamesIsThatOfTheAPI(t *testing.T) {
	s, _ := serverOf(t, "chess", servetest.Dataset{Game: "chess", Player: "greedy"})
	const query = "plies=20-&sort=-plies"
	list := askJSON[struct {
		Games []struct {
			Game, Plies    uint64
			Result, Reason string
			Players        [2]string
			Drop           int
		}
	}](t, s, "/api/datasets/chess/games?"+query)
	w := request(s, "GET", "/api/datasets/chess/games/download?limit=2&offset=1&"+query, nil)
	rows := must.Get(csv.NewReader(w.Body).ReadAll())(t)
	if got := w.Header().Get("Content-Disposition"); got != "attachment; filename=chess-games.csv" {
		t.Errorf("Content-Disposition %q", got)
	}
	if len(rows) != len(list.Games)+1 || len(rows) < 3 {
		t.Fatalf("%d rows, want %d", len(rows)-1, len(list.Games))
	}
	for i, g := range list.Games {
		if g.Result == "" {
			g.Result = "none"
		}
		want := []string{fmt.Sprint(g.Game), g.Players[0], g.Players[1], g.Result, g.Reason, fmt.Sprint(g.Plies), fmt.Sprint(g.Drop)}
		if got := rows[i+1][:7]; !slices.Equal(got, want) {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
}

// TestTextsOfGamesAreThoseOfTheAPI: of all games, in the order of their numbers, and of one.
func TestTextsOfGamesAreThoseOfTheAPI(t *testing.T) {
	s, _ := serverOf(t, "cotulenh", servetest.Dataset{})
	var want strings.Builder
	for game := range 12 {
		record := askJSON[struct{ Record json.RawMessage }](t, s, fmt.Sprintf("/api/datasets/cotulenh/games/%d", game)).Record
		one := request(s, "GET", fmt.Sprintf("/api/datasets/cotulenh/games/%d/download?format=moves", game), nil).Body.String()
		if one != string(record)+"\n" {
			t.Errorf("game %d: %s, want %s", game, one, record)
		}
		want.WriteString(one)
	}
	if got := request(s, "GET", "/api/datasets/cotulenh/games/download?format=moves&sort=-plies", nil).Body.String(); got != want.String() {
		t.Errorf("%d bytes, want %d", len(got), want.Len())
	}
}

// TestRowsOfAGameHaveItsPlies: one for each, with the texts of the moves.
func TestRowsOfAGameHaveItsPlies(t *testing.T) {
	s, _ := serverOf(t, "cotulenh", servetest.Dataset{})
	moves := askJSON[struct{ Record struct{ Moves []string } }](t, s, "/api/datasets/cotulenh/games/3").Record.Moves
	rows := must.Get(csv.NewReader(request(s, "GET", "/api/datasets/cotulenh/games/3/download", nil).Body).ReadAll())(t)
	column := slices.Index(rows[0], "move")
	var got []string
	for _, row := range rows[1:] {
		got = append(got, row[column])
	}
	if !slices.Equal(got, moves) || !slices.Contains(rows[0], "position") || len(got) == 0 {
		t.Errorf("columns %q, moves %q, want %q", rows[0], got, moves)
	}
}

// TestPagesLinkToDownloads: the links answer with files.
func TestPagesLinkToDownloads(t *testing.T) {
	s, _ := serverOf(t, "chess", servetest.Dataset{Game: "chess"})
	links := regexp.MustCompile(`href="([^"]*/download\?[^"]*)" download`)
	for page, want := range map[string]int{"/datasets/chess/games?plies=10-&limit=5": 4, "/datasets/chess/games/3": 4, "/datasets/chess/games?material=KvK": 0, "/datasets/chess/games?limit=3&material=KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP": 4} {
		found := links.FindAllStringSubmatch(request(s, "GET", page, nil).Body.String(), -1)
		if len(found) != want {
			t.Errorf("%s: links %q", page, found)
		}
		for _, link := range found {
			if w := request(s, "GET", strings.ReplaceAll(link[1], "&amp;", "&"), nil); w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment") {
				t.Errorf("%s: %d %s", link[1], w.Code, w.Body)
			}
		}
	}
}

// TestFewFilesAreMadeAtOnce: a further request is refused, and the next one is answered.
func TestFewFilesAreMadeAtOnce(t *testing.T) {
	dir := t.TempDir()
	servetest.Make(t, dir, "set", servetest.Dataset{})
	known := must.Get(catalog.Open(servetest.Known.Games, []string{dir}, slog.New(slog.DiscardHandler)))(t)
	d := &downloads{catalog: known, games: catalog.NewGames(known, t.TempDir(), slog.New(slog.DiscardHandler))}
	send := func() int {
		r := httptest.NewRequest("GET", "/", nil)
		r.SetPathValue("dataset", "set")
		r.SetPathValue("game", "3")
		w := httptest.NewRecorder()
		if err := d.handle(d.sendGame)(w, r); err != nil {
			return catalog.Status(err)
		}
		return w.Code
	}
	d.running.Store(maxDownloads)
	if got := send(); got != http.StatusServiceUnavailable {
		t.Errorf("status %d", got)
	}
	d.running.Store(maxDownloads - 1)
	if got := send(); got != http.StatusOK || d.running.Load() != maxDownloads-1 {
		t.Errorf("status %d, %d running", got, d.running.Load())
	}
}
