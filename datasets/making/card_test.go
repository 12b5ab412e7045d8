package making

import (
	"bytes"
	"strings"
	"testing"

	"selfplay/datasets/derived"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
)

func TestCardListsOnlySplitsWithShards(t *testing.T) {
	root := t.TempDir()
	p := fakePlan()
	p.Validation = 0
	makeIn(t, root, p, 9, fakeOptions())
	card := tree(t, root)[plan.CardName]
	if strings.Contains(card, "validation-") || !strings.Contains(card, "path: games/train-*.parquet") {
		t.Error(card[:400])
	}
	if !bytes.HasPrefix([]byte(card), []byte("---\npretty_name: \"Fake self-play\"\nsize_categories:\n- n<1K\n")) {
		t.Error(card[:100])
	}
}

// TestCardMakesTheInputOfAValueNetwork: absolute boards need the side to move, scores need
// a model or a bound.
func TestCardMakesTheInputOfAValueNetwork(t *testing.T) {
	const side, model, clipped = `inputs = torch.cat([boards, rows["side"][:, None]], dim=1)`, "the outcome that the score predicts", "# clipped, -1 to 1"
	for _, c := range []struct {
		name            string
		change          func(h *plan.File)
		want, forbidden []string
	}{
		{"absolute boards", func(*plan.File) {}, []string{side, "`side` is part of the input"}, []string{"value =", model}},
		{"boards of the mover", func(h *plan.File) { h.Plan.Perspective = plan.Mover }, []string{"inputs = boards"}, []string{side}},
		{"scores with a model", func(h *plan.File) {
			h.Description.Columns = append(h.Description.Columns[:len(fakeColumns):len(fakeColumns)], encode.Column{Name: "policy_action", Kind: encode.Uint16, Len: encode.Var})
			h.Description.Metadata = []encode.KeyValue{{Key: "wdl", Value: `{"a":5,"b":7}`}}
		}, []string{model, "-29,999 to 29,999"}, []string{clipped}},
		{"scores without a model", func(h *plan.File) {
			h.Description.Columns = append(h.Description.Columns[:len(fakeColumns):len(fakeColumns)], encode.Column{Name: "policy_action", Kind: encode.Uint16, Len: encode.Var})
		}, []string{clipped, "-29,999 to 29,999"}, []string{model}},
	} {
		h := fakeHeader(t)
		c.change(h)
		card := written(derived.Files(record.NewSet(h.Plan).All.Manifest(h), h)[0].Write)
		for _, want := range c.want {
			if !strings.Contains(card, want) {
				t.Errorf("%s: the card lacks %q", c.name, want)
			}
		}
		for _, text := range c.forbidden {
			if strings.Contains(card, text) {
				t.Errorf("%s: the card has %q", c.name, text)
			}
		}
	}
}
