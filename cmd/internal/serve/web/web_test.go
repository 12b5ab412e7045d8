package web

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/disk"
)

func TestParams(t *testing.T) {
	for query, want := range map[string]string{
		"":                             "",
		"n=7&b=1&l=x,y&one=b&s=t":      "",
		"n=":                           "",
		"n=2":                          `parameter n: "2": want a whole number from 3 to 9`,
		"n=10":                         `parameter n: "10": want a whole number from 3 to 9`,
		"n=x":                          `parameter n: "x"`,
		"n=7&n=8":                      "parameter n: given 2 times, want it once",
		"b=true":                       `parameter b: "true": want 0 or 1`,
		"one=c":                        `parameter one: "c": want a or b`,
		"any=c":                        `parameter any: "c": want a or b`,
		"z=1&y=2":                      `unknown parameter "y": want any, b, l, n, one, s`,
		"a;b":                          "the query is not well formed",
		"n=" + strings.Repeat("9", 99): `parameter n: "9999`,
	} {
		p := ParamsOf(httptest.NewRequest("GET", "/?"+query, nil))
		n, b, l, one, s := p.Int("n", 5, 3, 9), p.Bool("b"), p.List("l"), p.OneOf("one", "a", "b"), p.String("s")
		p.OneOf("any", "", "a", "b")
		err := p.Err()
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || Status(err) != 400) {
			t.Errorf("%s: %v, want %s", query, err, want)
		}
		given := strings.HasPrefix(query, "n=7&b")
		if err == nil && (given && (n != 7 || !b || !slices.Equal(l, []string{"x", "y"}) || one != "b" || s != "t") ||
			!given && (n != 5 || b || l != nil || one != "a" || s != "")) {
			t.Errorf("%s: %d %t %q %s %s", query, n, b, l, one, s)
		}
	}
}

func TestPathsAreEscaped(t *testing.T) {
	for want, elements := range map[string][]string{
		"/files/demo/positions/train-00000.parquet": {"files", "demo", "positions/train-00000.parquet"},
		"/files/a%2Fb/c%3Fd":                        {"files", "a/b", "c?d"},
		"/api/datasets/c%E1%BB%9D":                  {"api", "datasets", "cờ"},
	} {
		if got := Path(elements...); got != want {
			t.Errorf("%q: %s, want %s", elements, got, want)
		}
	}
}

// TestErrorsThatClientsRead: only messages that were written for them.
func TestErrorsThatClientsRead(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		want   string
	}{
		{NotFound("no game %d", 7), 404, "no game 7"},
		{fmt.Errorf("open: %w", BadRequest("want more")), 400, "want more"},
		{fmt.Errorf("read /home/x: %w", datasets.ErrCorrupt), 500, "the dataset is damaged"},
		{fmt.Errorf("read /home/x: %w", datasets.ErrUnsupported), 501, "this program cannot read the dataset"},
		{&fs.PathError{Op: "open", Path: "/home/x", Err: disk.ErrOutside}, 404, "a link that leads out of it"},
		{&fs.PathError{Op: "open", Path: "/home/x", Err: errors.New("broken")}, 500, "the server could not answer"},
	} {
		if got := Message(c.err); Status(c.err) != c.status || !strings.Contains(got, c.want) || strings.Contains(got, "/home") {
			t.Errorf("%v: %d %s", c.err, Status(c.err), got)
		}
	}
}
