package browser

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// click clicks a cell of the board.
func (b *tab) click(cell string) {
	b.t.Helper()
	b.do(chromedp.Evaluate(`document.querySelector('.cell[data-cell="`+cell+`"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))`, nil))
}

// loaded waits for the page after some moves.
func (b *tab) loaded(play string) {
	b.t.Helper()
	b.wait(`new URLSearchParams(location.search).get('play') === '` + play + `' && document.readyState === 'complete' && document.querySelector('.scripted')?.hidden === false`)
}

// TestMovesByClicksOnCells: a piece and its destination are a move; where several moves remain, they
// are listed, or a third cell decides.
func TestMovesByClicksOnCells(t *testing.T) {
	b := newTab(t, 1360, 900)
	b.open("/analysis?game=chess")
	b.click("e2")
	b.says("Move: e3, e4")
	if chosen, marks := value[int](b, `document.querySelectorAll('.marks .mark').length`), b.marks("move"); chosen != 1 || marks != 2 {
		t.Errorf("%d cells are chosen, and %d are marked, want e2, and e3 and e4", chosen, marks)
	}
	b.click("e4")
	b.loaded("e2e4")
	if text := value[string](b, `document.querySelector('.boardside .moves').textContent`); text != "e4" {
		t.Errorf("the moves are %q", text)
	}
	b.open("/analysis?game=chess&position=" + url.QueryEscape("8/P3k3/8/8/8/8/8/4K3 w - - 0 1"))
	b.click("a7")
	b.says("a8")
	b.click("a8")
	b.wait(`document.querySelectorAll('#choice a').length === 4`) // promotions
	b.do(chromedp.Evaluate(`document.querySelector("#choice a").click()`, nil))
	b.wait(`new URLSearchParams(location.search).get('play')?.startsWith('a7a8')`)
	b.open("/analysis?game=contrast")
	b.click("a5")
	b.says("a4")
	b.click("a4")
	b.wait(`document.querySelectorAll('#choice a').length === 1`) // without a tile
	b.shoot("analysis-choice")
	b.click("c3")
	b.wait(`document.querySelectorAll('#choice a').length === 2`) // black or gray
	b.do(chromedp.Evaluate(`document.querySelector("#choice a").click()`, nil))
	b.loaded("a5,a4 c3b")
	if hand := value[string](b, `document.querySelector('[data-hand="0"]').textContent`); hand != "2" {
		t.Errorf("black has %s black tiles", hand)
	}
}

// TestTurnsOfSeveralMovesHaveAButton that ends them, beside the board.
func TestTurnsOfSeveralMovesHaveAButton(t *testing.T) {
	b := newTab(t, 1360, 900)
	b.open("/analysis?game=cotulenh&position=" + url.QueryEscape("10c/11/11/11/11/11/11/11/2(NF)8/11/11/3C7 r - - 0 1"))
	if buttons := value[int](b, `document.querySelectorAll('.boardside .primary').length`); buttons != 0 {
		t.Errorf("%d buttons before the turn", buttons)
	}
	b.click("c4")
	b.says("e4")
	b.click("e4")
	b.loaded("Fc4>e4")
	b.do(chromedp.Evaluate(`document.querySelector('.boardside .primary').click()`, nil))
	b.loaded("Fc4>e4|commit")
	if side := value[string](b, `document.querySelector('.step b').textContent`); side != "blue to move" {
		t.Error(side)
	}
}

// TestChoicesKeepTheBoardInView: the list of moves scrolls, the page of a phone does not.
func TestChoicesKeepTheBoardInView(t *testing.T) {
	b := newTab(t, 390, 844)
	b.open("/analysis?game=cotulenh")
	b.click("f4")
	b.wait(`document.querySelector('.touches')`)
	at := value[float64](b, `scrollY`)
	inside := value[bool](b, `(() => { const list = document.getElementById('legal').getBoundingClientRect(), item = document.querySelector('.touches').getBoundingClientRect();
		return item.top >= list.top && item.bottom <= list.bottom; })()`)
	if at != 0 || !inside {
		t.Errorf("the page is at %v; the moves of the piece are in view: %v", at, inside)
	}
}

// TestGamesAreLinks, so that the position of one is not given to another.
func TestGamesAreLinks(t *testing.T) {
	b := newTab(t, 1360, 900)
	b.open("/analysis?game=cotulenh")
	b.do(chromedp.Evaluate(`[...document.querySelectorAll('nav a')].find((a) => a.textContent === 'Contrast').click()`, nil))
	b.wait(`document.querySelectorAll('[data-hand]').length === 4 && !document.querySelector('[role=alert]')`)
}

// TestMovesByKeyboard: Enter chooses cells, and the focus stays on the board after the move.
func TestMovesByKeyboard(t *testing.T) {
	b := newTab(t, 1360, 900)
	b.open("/analysis?game=cotulenh")
	b.do(chromedp.Focus(".cell[data-cell=c5]"))
	b.press(kb.Enter)
	b.says("Move: c6")
	b.press(kb.ArrowUp, kb.Enter)
	b.loaded("Ic5c6")
	b.wait(`document.activeElement.dataset.cell === 'c6'`)
}

// TestFlippedBoards: the opposite cells are there, in addresses of further moves, too.
func TestFlippedBoards(t *testing.T) {
	b := newTab(t, 1360, 900)
	for _, page := range []string{"/analysis?game=cotulenh&flip=1", "/datasets/cotulenh/games/1?ply=4&flip=1"} {
		b.open(page)
		first := value[string](b, `document.querySelector('.cell').dataset.cell`)
		label := value[string](b, `document.querySelector(".hands > svg .label").textContent`)
		if first != "k1" || label != "k" {
			t.Errorf("%s: the first cell is %s, the first label %s", page, first, label)
		}
		spoken := value[string](b, `document.querySelector('.cell[data-cell=g1]').getAttribute('aria-label')`)
		if spoken != "g1, red commander" {
			t.Errorf("%s: %s", page, spoken)
		}
	}
	b.press(kb.ArrowRight)
	if at := value[string](b, `location.search`); at != "?ply=5&flip=1" {
		t.Errorf("the URL has %s", at)
	}
}

// TestPlayAgainstAPlayer: it answers each move, also in a game that it begins, and Back leads to the
// decision of the reader.
func TestPlayAgainstAPlayer(t *testing.T) {
	b := newTab(t, 1360, 900)
	for _, game := range []string{"chess", "contrast", "cotulenh"} {
		b.open("/analysis?game=" + game + "&player=greedy")
		b.do(chromedp.Evaluate(`document.querySelector("button[name=against]").click()`, nil))
		b.wait(`new URLSearchParams(location.search).has('against') && document.querySelector('#legal a')`)
		mine := value[string](b, `document.querySelector('.step b').textContent`)
		b.do(chromedp.Evaluate(`document.querySelector('#legal a').click()`, nil))
		b.wait(`new URLSearchParams(location.search).get('play')?.split('|').length > 1 && document.querySelector('.step b')?.textContent === '` + mine + `'`)
		if game != "cotulenh" { // whose turns have several moves
			b.do(chromedp.Evaluate(`history.back()`, nil))
			b.wait(`!new URLSearchParams(location.search).get('play') && document.querySelector('#legal a')`)
		}
	}
	b.open("/analysis?game=chess&player=greedy&against=white")
	b.wait(`new URLSearchParams(location.search).get('play') && document.querySelector('.step b')?.textContent === 'black to move'`)
}

// TestAnswersHaveALine, whose first move is a link that plays it.
func TestAnswersHaveALine(t *testing.T) {
	b := newTab(t, 1360, 900)
	b.open("/analysis?game=chess&player=" + url.QueryEscape("ab:depth=4,hash=4"))
	b.do(chromedp.Focus("#ask input"), chromedp.KeyEvent(kb.Enter))
	b.wait(`[...document.querySelectorAll('#answer dt')].some((e) => e.textContent === 'line')`)
	facts := value[string](b, `document.querySelector('#answer dl').textContent`)
	if !strings.Contains(facts, "depth4") {
		t.Errorf("the answer is %s", facts)
	}
	b.shoot("analysis-answer")
	b.do(chromedp.Evaluate(`document.querySelector("#answer dd a").click()`, nil))
	b.wait(`new URLSearchParams(location.search).get('play')`)
}
