// Package browser tests the pages of `export serve` in Chromium: that the console is clean, that a
// keyboard suffices, that axe-core finds nothing, and what buttons, links and scripts do. It is a
// module of its own, so that the program does not depend on a browser driver:
//
//	make browser
//
// The tests are skipped where there is no Chromium. AXE names the file axe.min.js of the npm package
// axe-core; without it the accessibility rules are not checked. -shots DIR keeps pictures of all
// pages, -data DIR shows the datasets there in place of small ones made for the test, and -only
// TEXT visits the pages with TEXT in their name in every look. `make pictures` runs TestPictures.
package browser

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var (
	shots = flag.String("shots", "", "keep pictures of all pages in `DIR`")
	data  = flag.String("data", "", "show the datasets in `DIR`")
	only  = flag.String("only", "", "visit only pages with `TEXT` in their name in every look")
)

// server is the URL of the server under test, without a slash at the end.
var server string

// root is the folder of the program's module.
const root = "../../../../.."

// made are the datasets of the tests: a name and the flags of `selfplay run`.
var made = [][]string{
	{"cotulenh", "--game", "cotulenh", "--player", "greedy", "--games", "12", "--shard-games", "4", "--opening-plies", "4"},
	{"chess", "--game", "chess", "--player", "ab:depth=1,multi=4,net=none", "--games", "40", "--shard-games", "20", "--opening-plies", "4"},
	{"chess2", "--game", "chess", "--player", "random", "--games", "20", "--shard-games", "20"},
	{"contrast", "--game", "contrast", "--player", "mcts:sims=20", "--games", "20", "--shard-games", "10"},
}

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if findBrowser() == "" {
		fmt.Println("skipped: no Chromium here: apt-get install chromium")
		if *pictures {
			return 1
		}
		return 0
	}
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	stop := start(dir)
	defer stop()
	return m.Run()
}

// start builds the programs, makes the datasets and starts the server.
func start(dir string) (stop func()) {
	build := exec.Command("go", "build", "-pgo=off", "-o", dir+"/", "./cmd/...")
	build.Dir = root
	must(build)
	makeDatasets(dir)
	serve := exec.Command(filepath.Join(dir, "export"), "serve", "--listen", "127.0.0.1:0", "--cache", filepath.Join(dir, "cache"), *data)
	serve.Stderr = os.Stderr
	out, err := serve.StdoutPipe()
	if err == nil {
		err = serve.Start()
	}
	if err != nil {
		panic(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		panic(err)
	}
	server = strings.TrimRight(strings.TrimSpace(line), "/")
	return func() {
		_ = serve.Process.Signal(os.Interrupt)
		_ = serve.Wait()
	}
}

// makeDatasets makes the datasets to show, unless -data names a folder that has them.
func makeDatasets(dir string) {
	wanted := made
	switch {
	case *pictures:
		*data = cmp.Or(*data, filepath.Join(dir, "data"))
		playDemo(dir)
		wanted = pictured
	case *data == "":
		*data = filepath.Join(dir, "data")
	default:
		return
	}
	for _, d := range wanted {
		must(exec.Command(filepath.Join(dir, "selfplay"), append([]string{"run", "--quiet", "--seed", "3", "--out", filepath.Join(*data, d[0])}, d[1:]...)...))
	}
}

func must(cmd *exec.Cmd) {
	if out, err := cmd.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v: %v\n%s", cmd, err, out))
	}
}

// findBrowser returns the path of Chromium, "" if there is none.
func findBrowser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// tab is a tab of a browser.
type tab struct {
	context.Context
	t *testing.T

	mu      sync.Mutex
	console []string // messages, exceptions and refused requests
}

// newTab opens a browser with a window of a size. At the end of the test its console must be clean.
func newTab(t *testing.T, width, height int) *tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(findBrowser()), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WindowSize(width, height), chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("hide-scrollbars", false),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 15*time.Minute)
	t.Cleanup(cancel)
	b := &tab{Context: ctx, t: t}
	chromedp.ListenTarget(ctx, b.listen)
	b.do(log.Enable())
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, line := range b.console {
			t.Errorf("console: %s", line)
		}
	})
	return b
}

// listen notes what a reader would see in the console.
func (b *tab) listen(event any) {
	line := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			line += string(a.Value) + " " + a.Description
		}
	case *runtime.EventExceptionThrown:
		line = e.ExceptionDetails.Error()
	case *log.EventEntryAdded:
		line = e.Entry.Text + " " + e.Entry.URL
	}
	if line != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.console = append(b.console, line)
	}
}

func (b *tab) do(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// open opens a page and waits until its scripts have run.
func (b *tab) open(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(server + path))
	b.wait(`document.readyState === 'complete' && !document.querySelector('[data-live=report]')`)
	b.do(chromedp.Sleep(250 * time.Millisecond))
}

// wait waits until an expression is true.
func (b *tab) wait(expression string) {
	b.t.Helper()
	for range 300 {
		var ok bool
		if err := chromedp.Run(b, chromedp.Evaluate("Boolean("+expression+")", &ok)); err == nil && ok {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	b.t.Fatalf("never true: %s", expression)
}

// value returns the value of an expression.
func value[T any](b *tab, expression string) (v T) {
	b.t.Helper()
	b.do(chromedp.Evaluate(expression, &v, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return v
}

// press presses keys.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		b.do(chromedp.KeyEvent(k))
	}
}
