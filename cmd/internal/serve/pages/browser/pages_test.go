package browser

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// paths are pages of every kind, by name.
func paths(b *tab) map[string]string {
	names := value[[]string](b, `fetch('/api/datasets').then((r) => r.json()).then((a) => a.datasets.map((d) => d.name))`)
	all := map[string]string{
		"start": "/", "analysis": "/analysis?game=cotulenh", "analysis-chess": "/analysis?game=chess", "compare": "/compare", "programs": "/programs",
		"analysis-played": "/analysis?game=contrast&player=greedy&against=black&play=" + url.QueryEscape("a5,a4 c3b|a1,a2 -1|b5,b4 -1"),
		"analysis-stacks": "/analysis?game=cotulenh&flip=1&position=" + url.QueryEscape("10c/11/4(+t+i)6/11/2(n+f+t)8/11/11/2(NFT)8/3(TI)7/11/6+A4/6C4 r - - 0 40"),
		"error":           "/nothing",
	}
	for _, name := range names {
		at := "/datasets/" + url.PathEscape(name)
		all["dataset-"+name], all["games-"+name], all["game-"+name] = at, at+"/games", at+"/games/1?ply=9"
		if strings.Contains(name, "chess") {
			all["games-filtered-"+name], all["games-refused-"+name] = at+"/games?reason=repetition&sort=-plies", at+"/games?plies=abc"
		}
	}
	chess := value[[]string](b, `fetch('/api/datasets').then((r) => r.json()).then((a) => a.datasets.filter((d) => d.game === 'chess').map((d) => d.name))`)
	if len(chess) > 1 {
		all["compared"] = "/compare?a=" + url.QueryEscape(chess[0]) + "&b=" + url.QueryEscape(chess[1])
	}
	return all
}

// look is a way to look at a page.
type look struct {
	name          string
	width, height int64
	scheme        string
}

var looks = []look{
	{"light", 1360, 900, "light"}, {"dark", 1360, 900, "dark"}, {"phone", 390, 844, "light"}, {"phone-dark", 390, 844, "dark"},
}

// TestEveryPageInEveryLook: the console is clean, axe-core finds nothing, and no page is wider than
// its window.
func TestEveryPageInEveryLook(t *testing.T) {
	axe := axeRules(t)
	first := newTab(t, 1360, 900)
	first.open("/")
	all := paths(first)
	for _, look := range looks {
		t.Run(look.name, func(t *testing.T) {
			b := newLook(t, look)
			for name, path := range all {
				if !strings.Contains(name, *only) {
					continue
				}
				b.open(path)
				if name == "error" || strings.HasPrefix(name, "games-refused") { // the browser itself reports the status
					b.console = nil
				}
				b.shoot(name + "-" + look.name)
				b.checkLook(path, axe)
			}
		})
	}
}

// axeRules returns axe-core, "" if the environment names none.
func axeRules(t *testing.T) string {
	t.Helper()
	file := os.Getenv("AXE")
	if file == "" {
		t.Log("AXE is not set: accessibility rules are not checked")
		return ""
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// newLook opens a browser with a look.
func newLook(t *testing.T, l look) *tab {
	t.Helper()
	b := newTab(t, int(l.width), int(l.height))
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}),
		emulation.SetDeviceMetricsOverride(l.width, l.height, 1, l.width < 500))
	return b
}

// checkLook checks that a page is not wider than its window, and that axe-core finds nothing.
func (b *tab) checkLook(name, axe string) {
	b.t.Helper()
	if wide := value[float64](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
		b.t.Errorf("%s is %v pixels too wide", name, wide)
	}
	if axe == "" {
		return
	}
	b.do(chromedp.Evaluate(axe, nil))
	for _, v := range value[[]string](b, `axe.run(document, {resultTypes: ['violations']}).then((r) => r.violations.flatMap((v) =>
		v.nodes.map((n) => v.id + ': ' + n.html.slice(0, 200) + ' ' + n.failureSummary.slice(0, 300))))`) {
		b.t.Errorf("%s: %s", name, v)
	}
}

// shoot keeps a picture of the page if it is wanted.
func (b *tab) shoot(name string) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	var png []byte
	b.do(chromedp.FullScreenshot(&png, 100))
	if err := os.WriteFile(filepath.Join(*shots, fmt.Sprintf("%s.png", name)), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
