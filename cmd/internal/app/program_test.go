package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
)

// TestErrorIsALineOfTheLog: the last line is as the others are, wherever the flag stands.
func TestErrorIsALineOfTheLog(t *testing.T) {
	for _, c := range []struct {
		args string
		json bool
		want string
	}{
		{"fail", false, "the disk is full"},
		{"fail --log-format text", false, "the disk is full"},
		{"fail --log-format json", true, "the disk is full"},
		{"--log-format json fail --quiet", true, "the disk is full"},
		{"--log-format json fail --fast", true, "unknown flag --fast"},
		{"--log-format json fly", true, `unknown command "fly": want one of fail`},
		{"fail --log-format xml", false, `unknown log format "xml": want text or json`},
	} {
		var stderr strings.Builder
		app := New("test", "", &cli.Command{Name: "fail", Action: func(*cli.Context) error { return errors.New("the disk\nis full") }})
		if code := Run(context.Background(), app, append([]string{"test"}, strings.Fields(c.args)...), nil, &stderr, &stderr); code == 0 {
			t.Errorf("%s: exit code 0", c.args)
		}
		got := "test: " + c.want + "\n"
		if c.json {
			var line struct{ Level, Msg string }
			if err := json.Unmarshal([]byte(stderr.String()), &line); err != nil || line.Level != "ERROR" || line.Msg != c.want {
				t.Errorf("%s: stderr is %q, %v", c.args, &stderr, err)
			}
		} else if stderr.String() != got {
			t.Errorf("%s: stderr is %q, want %q", c.args, &stderr, got)
		}
	}
}

func TestDamaged(t *testing.T) {
	c := cli.NewContext(&cli.App{Name: "selfplay"}, nil, nil)
	damage := fmt.Errorf("read plan.json: %w", datasets.ErrCorrupt)
	if got, want := Damaged(c, "d", damage), "read plan.json: corrupt: run selfplay export verify d for details, selfplay export repair d to remove the damage"; got.Error() != want || !errors.Is(got, datasets.ErrCorrupt) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, other := range []error{nil, datasets.ErrNoSpace} {
		if got := Damaged(c, "d", other); got != other {
			t.Errorf("%v of %v", got, other)
		}
	}
}
