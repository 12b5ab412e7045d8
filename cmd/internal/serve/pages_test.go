package serve

import (
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/encode"
	"selfplay/internal/must"
)

// waitFor asks for a page until it has a text.
func waitFor(t *testing.T, s http.Handler, target, text string) *httptest.ResponseRecorder {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		w := request(s, "GET", target, nil)
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", target, w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), text) {
			return w
		}
		if time.Since(begin) > time.Minute {
			t.Fatalf("%s never has %q: %s", target, text, w.Body)
		}
	}
}

var (
	inlineScript = regexp.MustCompile(`<script(?:>| [^>]*)`)
	inlineStyle  = regexp.MustCompile(`<style|\sstyle=|\son[a-z]+="|javascript:`)
	ids          = regexp.MustCompile(`\sid="([^"]+)"`)
)

// checkPage checks what every page obeys: no inline script or style, and ids that differ.
func checkPage(t *testing.T, target string, w *httptest.ResponseRecorder) {
	t.Helper()
	text := w.Body.String()
	if kind := w.Header().Get("Content-Type"); kind != "text/html; charset=utf-8" {
		t.Errorf("%s: Content-Type %s", target, kind)
	}
	for _, tag := range inlineScript.FindAllString(text, -1) {
		if !strings.Contains(tag, " src=") && !strings.Contains(tag, `type="application/json"`) {
			t.Errorf("%s: inline script %s", target, tag)
		}
	}
	if found := inlineStyle.FindString(text); found != "" {
		t.Errorf("%s: %q", target, found)
	}
	known := map[string]bool{}
	for _, id := range ids.FindAllStringSubmatch(text, -1) {
		if known[id[1]] {
			t.Errorf("%s: two elements have the id %s", target, id[1])
		}
		known[id[1]] = true
	}
}

// TestPagesOfEveryGame are there, with what they promise.
func TestPagesOfEveryGame(t *testing.T) {
	dir := t.TempDir()
	for _, g := range encode.Games().Names() {
		servetest.Make(t, dir, g, servetest.Dataset{Game: g, Player: "greedy"})
		servetest.Make(t, dir, g+"2", servetest.Dataset{Game: g})
	}
	s := newServer(t, dir, nil)
	for _, g := range encode.Games() {
		at := "/datasets/" + g.Name
		for target, want := range map[string]string{
			"/":                                     `href="` + at + `"`,
			at:                                      `id="charts-data"`,
			at + "/games":                           "12 of 12 games",
			at + "/games?sort=-plies&limit=5":       `rel="next"`,
			at + "/games?result=draw&plies=1-2":     "No game matches",
			at + "/games?offset=100000&sort=plies":  `<a href="?sort=plies">the first page</a>`,
			at + "/games/3":                         `role="gridcell"`,
			at + "/games/3?ply=2":                   `data-ply="2"`,
			"/analysis?game=" + g.Name:              "legal moves",
			"/analysis?from=" + g.Name + ":3@2":     `/games/3?ply=2">`,
			"/analysis?game=" + g.Name + "&play=!!": `role="alert"`,

			"/analysis?game=" + g.Name + "&play=" + strings.Repeat("a1%7C", 700): "701 moves: want at most 600",
			"/compare":                                    g.Name + "2",
			"/compare?a=" + g.Name + "&b=" + g.Name:       "the same dataset",
			"/compare?a=" + g.Name + "&b=" + g.Name + "2": `id="charts-data"`,
			at + "/games?plies=1":                         "No games<",
		} {
			checkPage(t, target, waitFor(t, s, target, want))
		}
	}
	if w := request(s, "GET", "/compare?a=chess&b=contrast", nil); !strings.Contains(w.Body.String(), "The games differ") {
		t.Errorf("two games: %s", w.Body)
	}
}

// TestPagesCountPliesAsRowsDo: from 0, as the address and the tables.
func TestPagesCountPliesAsRowsDo(t *testing.T) {
	s, _ := serverOf(t, "chess", servetest.Dataset{Game: "chess"})
	waitFor(t, s, "/datasets/chess/games/3?ply=1", ", after white: 1. ")
}

// TestOpeningsHaveResults: those of the games that play a next move.
func TestOpeningsHaveResults(t *testing.T) {
	s, _ := serverOf(t, "chess", servetest.Dataset{Game: "chess"})
	page := waitFor(t, s, "/datasets/chess/games", `class="results"`).Body.String()
	for _, shares := range regexp.MustCompile(`class="results">([^<]*)<`).FindAllStringSubmatch(page, -1) {
		sum := 0.0
		for _, share := range regexp.MustCompile(`([\d.]+) %`).FindAllStringSubmatch(shares[1], -1) {
			sum += must.Get(strconv.ParseFloat(share[1], 64))(t)
		}
		if sum < 99 || sum > 101 {
			t.Errorf("shares of results %q", shares[1])
		}
	}
}

// TestOpeningsAreWrittenAsPlayersDo, with numbers; the parameters of links are in wire form.
func TestOpeningsAreWrittenAsPlayersDo(t *testing.T) {
	s, _ := serverOf(t, "chess", servetest.Dataset{Game: "chess"})
	moves := regexp.MustCompile(`class="opening">1\. [a-hN][a-h1-8]+ [a-hN][a-h1-8]+ 2\. `)
	page := waitFor(t, s, "/datasets/chess/games", `class="opening"`).Body.String()
	if !moves.MatchString(page) {
		t.Errorf("no opening such as 1. e4 e5 2. Nf3: %s", page)
	}
	link := regexp.MustCompile(`href="(\?opening=[a-h1-8]{4})"><span class="name move">([a-hN][a-h1-8]+)<`).FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("no continuation: %s", page)
	}
	waitFor(t, s, "/datasets/chess/games"+link[1], `<p class="line"><a href="`+link[1]+`">1. `+link[2]+`</a>`)
}

// TestPagesBeyondTheLastGame have no numbers and no neighbours.
func TestPagesBeyondTheLastGame(t *testing.T) {
	s, _ := serverOf(t, "chess", servetest.Dataset{Game: "chess"})
	for target, want := range map[string]string{
		"/datasets/chess/games?offset=12":             "No games on this page",
		"/datasets/chess/games?offset=10":             "11 to 12 of 12 games",
		"/datasets/chess/games?plies=1&offset=100000": "No games on this page",
		"/datasets/chess/games?plies=1":               "No game matches",
	} {
		w := waitFor(t, s, target, want)
		if beyond := strings.Contains(want, "No games"); beyond && strings.Contains(w.Body.String(), `rel="prev"`) {
			t.Errorf("%s: has a page before", target)
		}
		checkPage(t, target, w)
	}
}

// TestRefusedQueriesKeepTheForm as the reader filled it in, with the error.
func TestRefusedQueriesKeepTheForm(t *testing.T) {
	s, _ := serverOf(t, "chess", servetest.Dataset{Game: "chess"})
	for query, problem := range map[string]string{
		"plies=abc&player=random&result=draw":    "parameter plies",
		"plies=5-3&player=random&result=draw":    "parameter plies",
		"games=x-&player=random&result=draw":     "parameter games",
		"material=abc&player=random&result=draw": "material",
	} {
		w := request(s, "GET", "/datasets/chess/games?"+query, nil)
		first, _, _ := strings.Cut(query, "&")
		name, typed, _ := strings.Cut(first, "=")
		for _, want := range []string{problem, `name="` + name + `" value="` + typed + `"`, `name="player" value="random"`, "<option selected>draw"} {
			if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %d without %s: %s", query, w.Code, want, w.Body)
			}
		}
		checkPage(t, query, w)
	}
}

// TestCompareChoosesTwoDatasetsOfOneGame, and offers no pair of different games.
func TestCompareChoosesTwoDatasetsOfOneGame(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"chess", "chess2", "contrast"} {
		servetest.Make(t, dir, name, servetest.Dataset{Game: strings.TrimSuffix(name, "2")})
	}
	s := newServer(t, dir, nil)
	chosen := regexp.MustCompile(`<option selected>(\w+)`)
	for target, want := range map[string]string{"/compare": "chess chess2", "/compare?a=chess2": "chess2 chess", "/compare?b=chess": "chess2 chess", "/compare?a=contrast": ""} {
		w := request(s, "GET", target, nil)
		var got []string
		for _, m := range chosen.FindAllStringSubmatch(w.Body.String(), -1) {
			got = append(got, m[1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s chooses %q, want %s", target, got, want)
		}
		checkPage(t, target, w)
	}
	if w := request(s, "GET", "/compare?a=contrast", nil); !strings.Contains(w.Body.String(), "only dataset") {
		t.Errorf("one dataset: %s", w.Body)
	}
}

// TestNeighboursNeedNoIndex: the first request for a page of a game has them.
func TestNeighboursNeedNoIndex(t *testing.T) {
	s, _ := serverOf(t, "chess", servetest.Dataset{Game: "chess"})
	for game, want := range map[string][2]bool{"0": {false, true}, "3": {true, true}, "11": {true, false}} {
		text := request(s, "GET", "/datasets/chess/games/"+game, nil).Body.String()
		if got := [2]bool{strings.Contains(text, `rel="prev"`), strings.Contains(text, `rel="next"`)}; got != want {
			t.Errorf("game %s: %v, want %v", game, got, want)
		}
	}
}

// TestPageForPrograms has every route and every type of the description.
func TestPageForPrograms(t *testing.T) {
	s := newServer(t, t.TempDir(), nil)
	w := request(s, "GET", "/programs", nil)
	checkPage(t, "/programs", w)
	text := w.Body.String()
	d := described(t, s)
	for path, operations := range d.Paths {
		for method := range operations {
			if want := strings.ToUpper(method) + " " + path; !strings.Contains(text, want) {
				t.Errorf("no %s", want)
			}
		}
	}
	for _, m := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(text, `id="`+m[1]+`"`) {
			t.Errorf("no element has the id %s", m[1])
		}
	}
}

// TestPositionsAreFoundOnThePage by text, with a link to the ply.
func TestPositionsAreFoundOnThePage(t *testing.T) {
	s, _ := serverOf(t, "chess", servetest.Dataset{Game: "chess"})
	w := waitFor(t, s, "/datasets/chess/games?material=KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP", "All 3 shards are searched")
	checkPage(t, "the search", w)
	if n := strings.Count(w.Body.String(), "?ply=0"); n < 12 {
		t.Errorf("%d of 12 games are found: %s", n, w.Body)
	}
}

// TestRequestsForPages: pages that are not there, texts of URLs, requests of pages of other sites, and
// static files, which are not sent again.
func TestRequestsForPages(t *testing.T) {
	s := servedSets(t)
	for _, e := range servetest.Converse(t, s, "testdata/pages.txt") {
		if strings.Contains(e.Answer.Body.String(), "<script>alert") {
			t.Errorf("%s: %s", e.URL, e.Answer.Body)
		}
		checkPage(t, e.URL.String(), e.Answer)
	}
	servetest.Converse(t, s, "testdata/sites.txt")
	for _, e := range servetest.Converse(t, s, "testdata/static.txt") {
		if e.Answer.Code != http.StatusOK {
			continue
		}
		tag := e.Answer.Header().Get("ETag")
		w := request(s, "GET", e.URL.String(), func(r *http.Request) { r.Header.Set("If-None-Match", tag) })
		if e.Answer.Body.Len() == 0 || w.Code != http.StatusNotModified {
			t.Errorf("%s: %d bytes, then %d, want 304", e.URL, e.Answer.Body.Len(), w.Code)
		}
	}
}

// TestPagesCountGamesInJournals, from the first finished game on: a shard takes hours.
func TestPagesCountGamesInJournals(t *testing.T) {
	s, _ := serverOf(t, "night", servetest.Dataset{Stop: 3})
	for _, target := range []string{"/", "/datasets/night"} {
		page := request(s, "GET", target, nil).Body.String()
		if !strings.Contains(page, `value="25"`) || !strings.Contains(page, "25 % of 12") || !regexp.MustCompile(`data-field="games">3<`).MatchString(page) {
			t.Errorf("%s does not show 3 of 12 games: %s", target, page)
		}
	}
	type counts struct {
		Games uint64 `json:"games"`
		Done  uint64 `json:"games_done"`
	}
	list := askJSON[struct{ Datasets []counts }](t, s, "/api/datasets").Datasets
	one := askJSON[struct{ Status counts }](t, s, "/api/datasets/night").Status
	if want := (counts{0, 3}); list[0] != want || one != want {
		t.Errorf("%+v and %+v, want 3 games, none committed", list, one)
	}
}

// TestRulesLeadSomewhere: pictures of the pages of rules are served, links lead to their headings and to positions that are
// shown, and no block for tests is left.
func TestRulesLeadSomewhere(t *testing.T) {
	s := newServer(t, t.TempDir(), nil)
	sources, links := regexp.MustCompile(`<img src="([^"]*)"`), regexp.MustCompile(`<a href="([^"]*)"`)
	for _, g := range encode.Games().Names() {
		page := request(s, "GET", "/rules/"+g, nil).Body.String()
		_, article, _ := strings.Cut(page, `<article class="rules">`)
		article, _, _ = strings.Cut(article, "</article>")
		positions := 0
		for _, m := range sources.FindAllStringSubmatch(article, -1) {
			if w := request(s, "GET", m[1], nil); w.Code != http.StatusOK {
				t.Errorf("%s: picture %s: %d", g, m[1], w.Code)
			}
		}
		for _, m := range links.FindAllStringSubmatch(article, -1) {
			target := html.UnescapeString(m[1])
			id, isHeading := strings.CutPrefix(target, "#")
			if isHeading {
				if !strings.Contains(article, `id="`+id+`"`) {
					t.Errorf("%s: no heading %s", g, target)
				}
				continue
			}
			w := request(s, "GET", target, nil)
			if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "note problem") {
				t.Errorf("%s: link %s: %d", g, target, w.Code)
			}
			positions++
		}
		if positions < 4 || strings.Contains(article, "language-example") {
			t.Errorf("%s: %d positions to try, or examples are left", g, positions)
		}
	}
}
