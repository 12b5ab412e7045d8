package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// gameOf returns the path of a game of a dataset of a game, and the name of the dataset.
func gameOf(b *tab, game string) (path, dataset string) {
	b.t.Helper()
	dataset = value[string](b, `fetch('/api/datasets').then((r) => r.json()).then((a) => a.datasets.find((d) => d.game === '`+game+`').name)`)
	return "/datasets/" + dataset + "/games/1", dataset
}

// TestGameByKeyboard: arrow keys step through the game, the ply is in the URL, and on the board
// they move among cells that are spoken.
func TestGameByKeyboard(t *testing.T) {
	b := newTab(t, 1360, 900)
	b.open("/")
	path, _ := gameOf(b, "chess")
	b.open(path)
	ply := func() string { return value[string](b, `document.getElementById('game').dataset.ply`) }
	for _, c := range []struct{ key, want string }{{kb.ArrowRight, "1"}, {kb.ArrowRight, "2"}, {kb.ArrowLeft, "1"}, {kb.Home, "0"}, {kb.ArrowLeft, "0"}, {kb.ArrowRight, "1"}} {
		if b.press(c.key); ply() != c.want {
			t.Errorf("ply %s, want %s", ply(), c.want)
		}
	}
	if at := value[string](b, `location.search`); at != "?ply=1" {
		t.Errorf("the URL has %s", at)
	}
	b.wait(`document.querySelector('#decision dl') && document.querySelectorAll('.arrows > *').length > 0`)
	stops := value[int](b, `document.querySelectorAll('svg.board [tabindex="0"]').length`)
	b.press(kb.Home)
	b.do(chromedp.Focus(".cell[data-cell=a8]"))
	b.press(kb.ArrowDown, kb.ArrowRight)
	spoken := value[string](b, `document.activeElement.getAttribute('aria-label')`)
	if stops != 1 || spoken != "b7, black pawn" || ply() != "0" {
		t.Errorf("%d stops, %q is spoken at ply %s", stops, spoken, ply())
	}
	if b.press(kb.PageDown); ply() != "1" {
		t.Errorf("Page Down on the board leads to ply %s", ply())
	}
	b.do(chromedp.Evaluate(`document.getElementById('row').open = true`, nil))
	b.wait(`document.querySelectorAll('#row-body .plane').length > 10 && document.querySelector('#row-body table')`)
}

// TestStartByKeyboard: Tab reaches the skip link, then links; Enter opens a dataset.
func TestStartByKeyboard(t *testing.T) {
	b := newTab(t, 1360, 900)
	b.open("/")
	var visited []string
	for range 6 {
		b.press(kb.Tab)
		visited = append(visited, value[string](b, `document.activeElement.textContent.trim()`))
	}
	if got := strings.Join(visited[:5], ", "); got != "Skip to the content, selfplay, Datasets, Compare, Analysis" {
		t.Errorf("Tab reaches %s", got)
	}
	b.press(kb.Tab, kb.Enter)
	b.wait(`location.pathname.startsWith('/datasets/')`)
}

// TestHistogramBarsFilter: a bar is a link to the games of its range.
func TestHistogramBarsFilter(t *testing.T) {
	b := newTab(t, 1360, 900)
	b.open("/")
	path, _ := gameOf(b, "chess")
	b.open(strings.TrimSuffix(path, "/1"))
	all := value[int](b, `document.querySelectorAll('table.list tbody tr').length`)
	b.do(chromedp.Evaluate(`document.querySelector('#histogram-plies svg a').dispatchEvent(new MouseEvent('click', {bubbles: true}))`, nil))
	b.wait(`new URLSearchParams(location.search).has('plies') && document.readyState === 'complete'`)
	if n := value[int](b, `document.querySelectorAll('table.list tbody tr').length`); n == 0 || n >= all {
		t.Errorf("%d of %d games", n, all)
	}
	if chosen := value[int](b, `document.querySelectorAll('#histogram-plies .chosen').length`); chosen != 1 {
		t.Errorf("%d bars are marked", chosen)
	}
}

// TestAnalysisAnswers by keyboard, with arrows and numbers, and its errors are shown.
func TestAnalysisAnswers(t *testing.T) {
	b := newTab(t, 1360, 900)
	for _, game := range []string{"cotulenh", "chess", "contrast"} {
		b.open("/analysis?game=" + game + "&player=ab:depth=1,multi=3")
		b.do(chromedp.Focus("#ask input"))
		b.press(kb.Enter)
		b.wait(`document.querySelectorAll('#answer .policy tbody tr').length === 3`)
		if arrows := value[int](b, `document.querySelectorAll('.arrows > *').length`); arrows == 0 {
			t.Errorf("%s: no arrows", game)
		}
	}
	b.open("/analysis?game=chess&player=fish")
	b.do(chromedp.Focus("#ask input"))
	b.press(kb.Enter)
	b.wait(`document.querySelector('#answer .problem')?.textContent.includes('unknown player')`)
	b.mu.Lock()
	b.console = nil // the browser reports the status 400
	b.mu.Unlock()
}

// TestBoardArrayModule: the worked examples of the public encoding, in the browser.
func TestBoardArrayModule(t *testing.T) {
	b := newTab(t, 800, 600)
	b.open("/")
	got := value[string](b, `import('/static/boardarray.js').then(({ arrayToBoard, boardToArray }) => {
		const end = [3,0,0,0,0,0,3,2,0,0,0,1,3,0,0,0,0,0,6,0,0,0,0,6,6,0,0,2,1];
		const { board, tileInventory } = arrayToBoard(end);
		return JSON.stringify([board[1][2], tileInventory.white, boardToArray(board, tileInventory).join() === end.join()]);
	})`)
	if want := `[{"occupant":0,"tile":2},{"blackTiles":2,"grayTiles":1},true]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestReplaysNameTheirCells: in the games of a report the arrow keys move among the cells of a board,
// whose names follow the game; elsewhere they step.
func TestReplaysNameTheirCells(t *testing.T) {
	b := newTab(t, 1360, 900)
	b.open("/datasets/contrast")
	b.wait(`document.querySelector('.replay.live')`)
	b.do(chromedp.Focus(".replay .cell[data-cell=a5]"))
	b.press(kb.ArrowRight)
	name := value[string](b, `document.querySelector('.replay .cell-name').textContent`)
	if name != "b5, black piece" {
		t.Errorf("the name is %q", name)
	}
	b.do(chromedp.Focus(".replay input[type=range]"))
	b.press(kb.End)
	if ply := value[int](b, `Number(document.querySelector('.replay').dataset.ply)`); ply < 2 {
		t.Errorf("ply %d", ply)
	}
	if hands := value[int](b, `document.querySelectorAll('.replay:first-of-type [data-hand]').length`); hands < 4 {
		t.Errorf("%d numbers of tiles in hand", hands)
	}
}
