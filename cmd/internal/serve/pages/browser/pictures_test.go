package browser

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var pictures = flag.Bool("pictures", false, "make the demo of the README, and write examples/pictures")

// pictured are the datasets that docs/serve.md shows, as made. Games of balanced have policies.
var pictured = [][]string{
	{"cotulenh", "--game", "cotulenh", "--preset", "balanced", "--games", "4"},
	{"chess", "--game", "chess", "--preset", "bulk", "--games", "200"},
}

// demo is the README's command and what it printed, without what differs from run to run; demoReport
// is the report of its dataset.
var demo, demoReport string

var (
	demoCommand = regexp.MustCompile(`(?m)^go run \./cmd/selfplay (run .*)$`)
	ofThisRun   = regexp.MustCompile(`, [0-9,]+ (of them new|played by this run)|, [0-9,]+ per second`)
)

// playDemo runs the README's command beside data with the programs in dir, and makes the report.
func playDemo(dir string) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		panic(err)
	}
	line := demoCommand.FindSubmatch(readme)
	run := exec.Command(filepath.Join(dir, "selfplay"), strings.Fields(string(line[1]))...)
	run.Dir, run.Stderr = filepath.Dir(*data), os.Stderr
	printed, err := run.Output()
	if err != nil {
		panic(err)
	}
	fmt.Println("CPU time of the README's command:", run.ProcessState.UserTime().Round(time.Second))
	demo = "$ " + string(line[0]) + "\n" + ofThisRun.ReplaceAllString(string(printed), "")
	demoReport = filepath.Join(dir, "demo.html")
	must(exec.Command(filepath.Join(dir, "export"), "report", "--out", demoReport, filepath.Join(*data, "demo")))
}

// What the pictures of the README say, as text.
const (
	checksText  = `[...document.querySelectorAll('#checks tbody tr')].map((r) => r.cells[1].innerText + ': ' + r.cells[2].innerText.replace(/\s+/g, ' ')).join('\n')`
	resultsText = `[...document.querySelectorAll('figure:has(#endings) tbody tr')].map((r) => r.cells[0].innerText + ': ' + r.cells[1].innerText).join('\n')`
	boardText   = `document.querySelector('#dataset svg.board').getAttribute('aria-label')`
)

// TestPictures takes the pictures of README and docs/serve.md. It writes demo.txt beside them: what
// the README's command printed, and what the pictures of the README say.
func TestPictures(t *testing.T) {
	if !*pictures {
		t.Skip("-pictures writes examples/pictures")
	}
	b := newTab(t, 1360, 900)
	b.widen(760, 1.5)
	b.do(chromedp.Navigate("file://" + demoReport))
	b.picture("report", "header", "#checks")
	b.widen(460, 1.5)
	b.do(chromedp.Evaluate(`document.querySelector('figure:has(#endings) details').open = true`, nil))
	b.picture("results", "figure:has(#endings)", "figure:has(#endings)")
	text := fmt.Sprintf("%s\nreport.png\n%s\n\nresults.png\n%s\n\nboard.svg\n%s\n", demo, value[string](b, checksText), value[string](b, resultsText), value[string](b, boardText))
	b.write("demo.txt", []byte(text))

	b.widen(1360, 1)
	b.open("/datasets/cotulenh/games/1?ply=9")
	b.picture("serve-game", "html", "html")
	b.open("/datasets/chess/games?reason=checkmate&sort=-plies&limit=20")
	b.picture("serve-games", "html", "html")
}

// widen sets the width of the window and the pixels per point, and waits until charts have followed.
func (b *tab) widen(width int64, scale float64) {
	b.t.Helper()
	b.do(emulation.SetScrollbarsHidden(true), emulation.SetDeviceMetricsOverride(width, 900, scale, false), chromedp.Sleep(2*time.Second))
}

// picture keeps the page from the top of one element to the bottom of another, with a margin.
func (b *tab) picture(name, from, to string) {
	b.t.Helper()
	b.do(chromedp.Sleep(2 * time.Second)) // animations of charts
	clip := value[page.Viewport](b, fmt.Sprintf(`(() => {
		const margin = %q === 'html' ? 0 : 10, a = document.querySelector(%[1]q).getBoundingClientRect(), z = document.querySelector(%[2]q).getBoundingClientRect();
		return {x: a.left + scrollX - margin, y: a.top + scrollY - margin, width: a.width + 2 * margin, height: z.bottom - a.top + 2 * margin, scale: 1} })()`, from, to))
	var shot []byte
	b.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		shot, err = page.CaptureScreenshot().WithCaptureBeyondViewport(true).WithClip(&clip).Do(ctx)
		return err
	}))
	b.write(name+".png", reduce(b.t, shot))
}

func (b *tab) write(name string, data []byte) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(root, "examples/pictures", name), data, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// reduce returns a picture in 256 colours, which takes a third of the bytes.
func reduce(t *testing.T, shot []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	few := image.NewPaletted(full.Bounds(), frequent(full))
	draw.Draw(few, few.Bounds(), full, image.Point{}, draw.Src)
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err = encoder.Encode(&out, few)
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// frequent returns the most frequent colours of a picture. After the first 64 it takes none that is
// close to one taken before, so that shades of letters leave room for rare colours, as of arrows.
func frequent(full image.Image) color.Palette {
	count := map[color.RGBA]int{}
	for y := range full.Bounds().Dy() {
		for x := range full.Bounds().Dx() {
			count[color.RGBAModel.Convert(full.At(x, y)).(color.RGBA)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	taken, palette := map[[3]uint8]bool{}, color.Palette{}
	for _, c := range colours {
		coarse := [3]uint8{c.R / 16, c.G / 16, c.B / 16}
		if len(palette) < 64 || len(palette) < 256 && !taken[coarse] {
			taken[coarse] = true
			palette = append(palette, c)
		}
	}
	return palette
}
