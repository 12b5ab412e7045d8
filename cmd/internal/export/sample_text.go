package export

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/datasets/output"
	"selfplay/datasets/query"
	"selfplay/encode"
)

// sampled is the JSON that sample prints.
type sampled struct {
	Form   string               `json:"format"`
	Out    string               `json:"out"`
	Rows   uint64               `json:"rows"`
	Of     uint64               `json:"of"`
	Bytes  int64                `json:"bytes"`
	SHA256 string               `json:"sha256"`
	By     string               `json:"by,omitempty"`
	Strata []query.StratumCount `json:"strata,omitempty"`
}

// print prints what was drawn.
func (s *sampling) print(c *cli.Context, f *output.File) error {
	if app.Quiet(c) {
		return nil
	}
	rows, of := s.sample.Drawn()
	done := sampled{
		Form: s.form.Name, Out: s.out, Rows: rows, Of: of, Bytes: f.Bytes,
		SHA256: fmt.Sprintf("%x", f.SHA256()), By: s.options.By.Name,
	}
	if done.By != "" {
		done.Strata = s.sample.Strata()
	}
	if c.Bool("json") {
		return encode.NewJSON(c.App.Writer).Encode(done)
	}
	text := fmt.Sprintf("%s of %s, %s, %s: %s", human.Number(done.Rows), human.Count(done.Of, "row"), done.Form, human.Count(done.Bytes, "byte"), done.Out)
	for i, n := range done.Strata {
		separator := ","
		if i == 0 {
			separator = "; by " + done.By + ":"
		}
		text += fmt.Sprintf("%s %s %s of %s", separator, s.stratumText(n.Stratum), human.Number(n.Rows), human.Number(n.Of))
	}
	_, err := fmt.Fprintln(c.App.Writer, text)
	return err
}

// stratumText names a class for people: a side by its name in the game, an outcome by
// what it means for the side to move.
func (s *sampling) stratumText(stratum string) string {
	sides := s.options.Query.Dataset.Description().Sides
	texts := map[string]map[string]string{
		"side":    {"0": sides[0], "1": sides[1]},
		"outcome": {"-1": "lost", "0": "drawn", "1": "won"},
	}
	if text := texts[s.options.By.Name][stratum]; text != "" {
		return text
	}
	return stratum
}
