package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/engine/enginetest"
)

func TestParams(t *testing.T) {
	enginetest.Conversation(t, "testdata/params.txt", "Clients get other errors", func(query string) string {
		p := ParamsOf(httptest.NewRequest("GET", query, nil))
		n, b, l, one, s := p.Int("n", 5, 3, 9), p.Bool("b"), p.List("l"), p.OneOf("one", "a", "b"), p.String("s")
		p.OneOf("any", "", "a", "b")
		if err := p.Err(); err != nil {
			return fmt.Sprint(Status(err), " ", err)
		}
		return fmt.Sprintf("n %d, b %t, l %q, one %s, s %q", n, b, l, one, s)
	})
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
