package browser

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Positions of docs/games, and one with everything that a mark can say.
const (
	deployment = "10c/11/11/11/11/11/11/11/2(NF)8/11/11/3C7 r - - 0 1"
	airDefense = "10c/11/11/11/4i6/11/11/5g5/4F6/11/11/9C1 r - - 0 1"
	commander  = "11/11/11/4(tc)6/11/11/4A6/11/11/11/1N9/3C7 r - - 0 1"
	allWays    = "10c/11/11/11/11/4T1i4/11/11/1n2Ft5/6g4/2N8/9C1 r - - 0 1"
)

func analysisOf(game, position string) string {
	return "/analysis?game=" + game + "&position=" + url.QueryEscape(position)
}

// says waits until the words below the board have a text.
func (b *tab) says(text string) {
	b.t.Helper()
	b.wait(`document.getElementById('choice').textContent.includes(` + quoted(text) + `)`)
}

// quoted returns a text as JavaScript.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `\'`) + "'" }

// spoken returns what a screen reader says of a cell.
func (b *tab) spoken(cell string) string {
	b.t.Helper()
	return value[string](b, `document.querySelector('.cell[data-cell="`+cell+`"]').getAttribute('aria-label')`)
}

// marks returns the number of marks of a way.
func (b *tab) marks(way string) int {
	b.t.Helper()
	return value[int](b, `document.querySelectorAll('svg.board .targets .way.`+way+`').length`)
}

// TestAReaderOfTheRulesIsAnswered: a deployment, a refusal by air defense, and the capture of a commander,
// each by clicks and with the words of the rules.
func TestAReaderOfTheRulesIsAnswered(t *testing.T) {
	b := newTab(t, 1280, 900)
	b.open(analysisOf("cotulenh", deployment))
	b.click("c4")
	b.says("Red navy with air force on c4")
	b.click("c5")
	b.says("Navy alone: N>c5, move")
	b.click("d4") // the navy may not, the air force may
	b.loaded("Fc4>d4")
	b.wait(`document.querySelector('.boardside .primary').textContent === 'End the turn (commit)'`)
	b.click("d1")
	b.says("The stack on c4 deploys: only its pieces may go until the turn ends.")
	b.click("c4")
	b.says("Red navy on c4")
	b.click("e4")
	b.says("The navy cannot enter d4, which is land.")
	b.do(chromedp.Evaluate(`document.querySelector('.boardside .primary').click()`, nil))
	b.loaded("Fc4>d4|commit")
	b.wait(`document.querySelector('.boardside .moves').textContent === 'N<F>d4commit'`)

	b.open(analysisOf("cotulenh", airDefense))
	b.click("e4")
	b.says("Capture and be lost: f5")
	b.click("e5")
	b.says("Blue's anti-air on f5 guards e5: the air force may only capture there, and is lost then.")
	if n := value[int](b, `document.querySelectorAll('.blamed').length`); n != 1 {
		t.Errorf("%d cells are blamed, want f5", n)
	}
	b.click("f5")
	b.loaded("Fe4@f5")

	b.open(analysisOf("cotulenh", commander))
	b.click("e6")
	b.says("Capture: e9")
	b.click("e9")
	b.wait(`document.querySelector('.step b')?.textContent === 'The game is over: red wins, commander captured'`)
}

// TestTilesAreAnswered: a cell for a tile is refused with the reason of the tile, and the move stays chosen.
func TestTilesAreAnswered(t *testing.T) {
	b := newTab(t, 1280, 900)
	b.open("/analysis?game=contrast")
	b.click("a5")
	b.says("a4")
	b.click("a4")
	b.says("Without a tile")
	b.click("c1")
	b.says("A piece stands on c1: a tile goes on a cell without one.")
	b.click("a5") // which the piece leaves
	b.wait(`document.querySelectorAll('#choice a').length === 2`)
}

// TestATurnThatCannotEndSaysWhy in place of its button.
func TestATurnThatCannotEndSaysWhy(t *testing.T) {
	b := newTab(t, 1280, 900)
	b.open(analysisOf("cotulenh", "10c/11/11/11/11/11/11/11/11/(NF)10/11/9C1 r - - 5 1") + "&play=" + url.QueryEscape("Na3>a6"))
	words := value[string](b, `document.querySelector('.reason').textContent`)
	if !strings.Contains(words, "The turn cannot end now. The air force left behind cannot stand on a3, which is water.") {
		t.Error(words)
	}
}

// TestMarksTellWaysApart: each way has a mark, a word in the legend and a word of its cell.
func TestMarksTellWaysApart(t *testing.T) {
	b := newTab(t, 1280, 900)
	b.open(analysisOf("cotulenh", allWays))
	b.click("e4")
	b.says("Join: e7")
	for way, want := range map[string]int{"move": 1, "capture": 1, "stay": 1, "suicide": 1, "join": 1} {
		if n := b.marks(way); n < want {
			t.Errorf("%d marks of %s", n, way)
		}
	}
	if words := b.spoken("e7"); words != "e7, red tank, join" {
		t.Error(words)
	}
	b.shoot("teach-ways")
	b.press(kb.Escape)
	b.do(chromedp.Focus(".cell[data-cell=e4]"))
	b.press(kb.Escape)
	if words := b.spoken("e7"); words != "e7, red tank" {
		t.Error(words)
	}
}

// TestPiecesOfAStackHaveButtons, which choose whose targets are marked and whose reason is given.
func TestPiecesOfAStackHaveButtons(t *testing.T) {
	b := newTab(t, 1280, 900)
	b.open(analysisOf("cotulenh", deployment))
	b.click("c4")
	b.says("Any piece")
	all := b.marks("move")
	b.do(chromedp.Evaluate(`[...document.querySelectorAll('.pieces button')].find((e) => e.textContent === 'Navy').click()`, nil))
	if n := b.marks("move"); n == 0 || n >= all {
		t.Errorf("%d marks of the navy, %d of all", n, all)
	}
	b.click("e4")
	b.says("The navy cannot enter d4, which is land.")
	if pressed := value[string](b, `document.querySelector('.pieces [aria-pressed=true]').textContent`); pressed != "Navy" {
		t.Error(pressed)
	}
}

// TestRecordedBoardsTeachAlike: the same clicks on a game of a dataset, without playing on.
func TestRecordedBoardsTeachAlike(t *testing.T) {
	b := newTab(t, 1280, 900)
	b.open("/")
	path, _ := gameOf(b, "cotulenh")
	b.open(path)
	b.click("c5")
	b.says("Red infantry on c5")
	b.click("f5")
	b.says("The infantry goes 1 cell at most, and f5 is 3 away.")
	b.click("c6")
	b.says("move on c6. Play it in an analysis")
	b.do(chromedp.Evaluate(`document.querySelector('#choice a').click()`, nil))
	b.wait(`location.pathname === '/analysis' && document.querySelector('.step b')?.textContent === 'blue to move'`)
	path, _ = gameOf(b, "chess")
	b.open(path)
	b.click("f1")
	b.says("has no legal move")
	b.click("c4")
	b.says("White's pawn on e2 is in the way of the bishop.")
	b.press(kb.ArrowRight)
	if words := value[string](b, `document.getElementById('choice').textContent`); words != "" {
		t.Errorf("after another ply: %s", words)
	}
}

// TestOverlaysFollowTheBoard: air defense of both sides, terrain, and the rules in place.
func TestOverlaysFollowTheBoard(t *testing.T) {
	b := newTab(t, 1280, 900)
	b.open("/")
	path, _ := gameOf(b, "cotulenh")
	for _, page := range []string{"/analysis?game=cotulenh", path} {
		b.open(page)
		b.do(chromedp.Evaluate(`document.querySelector('[data-overlay=zones]').click()`, nil))
		b.wait(`document.querySelectorAll('.hatch0').length > 20 && document.querySelectorAll('.hatch1').length > 20`)
		if words := b.spoken("g3"); words != "g3, red missile, guarded by red" {
			t.Errorf("%s: %s", page, words)
		}
		b.do(chromedp.Evaluate(`document.querySelector('[data-overlay=terrain]').click()`, nil))
		b.wait(`document.querySelector('.overlay-words').textContent.includes('only here artillery')`)
		b.do(chromedp.Evaluate(`document.querySelector('[data-rules]').click()`, nil))
		b.wait(`document.querySelector('dialog[open] #rules-air-defense')`)
		b.press(kb.Escape)
		b.wait(`!document.querySelector('dialog[open]')`)
		if at := value[string](b, `location.pathname`); !strings.HasPrefix(page, at) {
			t.Errorf("the rules left %s for %s", page, at)
		}
	}
	b.open("/analysis?game=chess")
	if n := value[int](b, `document.querySelectorAll('[data-overlay]').length`); n != 0 {
		t.Errorf("chess has %d overlays", n)
	}
}

// TestTeachingInEveryLook: with marks, a reason, overlays and rules, at 1,280 and 390 pixels.
func TestTeachingInEveryLook(t *testing.T) {
	axe := axeRules(t)
	for _, look := range []look{{"light", 1280, 900, "light"}, {"dark", 1280, 900, "dark"}, {"phone", 390, 844, "light"}, {"phone-dark", 390, 844, "dark"}} {
		t.Run(look.name, func(t *testing.T) {
			b := newLook(t, look)
			check := func(name string) {
				b.shoot("teach-" + name + "-" + look.name)
				b.checkLook(name, axe)
			}
			b.open(analysisOf("cotulenh", allWays))
			b.do(chromedp.Evaluate(`for (const e of document.querySelectorAll('[data-overlay]')) e.click()`, nil))
			b.wait(`document.querySelectorAll('.hatch1').length > 4`)
			b.click("e4")
			b.says("Join: e7")
			check("ways")
			b.click("g5")
			b.says(".")
			b.wait(`document.querySelector('.blamed')`)
			check("reason")
			b.open("/")
			path, _ := gameOf(b, "cotulenh")
			b.open(path + "?ply=9")
			b.do(chromedp.Evaluate(`for (const e of document.querySelectorAll('[data-overlay]')) e.click()`, nil))
			b.wait(`document.querySelectorAll('.hatch1').length > 4`)
			check("recorded")
			b.do(chromedp.Evaluate(`document.querySelector('[data-rules]').click()`, nil))
			b.wait(`document.querySelector('dialog[open] img')?.complete`)
			check("dialog")
			for _, game := range []string{"cotulenh", "chess", "contrast"} {
				b.open("/rules/" + game)
				check("rules-" + game)
			}
			b.open(analysisOf("chess", "4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1"))
			b.click("e1")
			b.says("Castle: c1")
			b.click("g1")
			b.says("The king may not castle over f1")
			check("chess")
		})
	}
}
