package making

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/internal/must"
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
		change          func(file *plan.File)
		want, forbidden []string
	}{
		{"absolute boards", func(*plan.File) {}, []string{side, "`side` is part of the input"}, []string{"value =", model}},
		{"boards of the mover", func(file *plan.File) { file.Plan.Perspective = plan.Mover }, []string{"inputs = boards"}, []string{side}},
		{"scores with a model", func(file *plan.File) {
			file.Description.Columns = append(file.Description.Columns[:len(fakeColumns):len(fakeColumns)], encode.Column{Name: "policy_action", Kind: encode.Uint16, Len: encode.Var})
			file.Description.Metadata = []encode.KeyValue{{Key: "wdl", Value: `{"a":5,"b":7}`}}
		}, []string{model, "-29,999 to 29,999"}, []string{clipped}},
		{"scores without a model", func(file *plan.File) {
			file.Description.Columns = append(file.Description.Columns[:len(fakeColumns):len(fakeColumns)], encode.Column{Name: "policy_action", Kind: encode.Uint16, Len: encode.Var})
		}, []string{clipped, "-29,999 to 29,999"}, []string{model}},
	} {
		file := fakeHeader(t)
		c.change(file)
		card := written(record.DerivedFiles(record.NewSet(file.Plan).All.Manifest(file), file)[0].Write)
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

// TestRowMetadataHasNoKeysOfAShard, and keys of the board only if a column is an array.
func TestRowMetadataHasNoKeysOfAShard(t *testing.T) {
	root := made(t, fakePlan(), 3)
	ds := must.Get(datasets.Open(root))(t)
	keys := func(columns []encode.Column) (keys []string) {
		for _, kv := range ds.RowMetadata(columns, plan.Packed) {
			keys = append(keys, kv.Key)
			if kv.Key == "selfplay.source_plan_hash" && kv.Value != ds.PlanHash() || kv.Key == "selfplay.board_type" && kv.Value != plan.Packed {
				t.Errorf("%s is %s", kv.Key, kv.Value)
			}
		}
		return keys
	}
	for _, kv := range ds.RowMetadata(ds.Description().Columns, "") {
		if kv.Key == "selfplay.board_type" {
			t.Errorf("%v for a format with only one board type", kv)
		}
	}
	const always = "selfplay.source_plan_hash selfplay.format_version selfplay.game selfplay.variant selfplay.table selfplay.columns"
	columns := ds.Description().Columns
	with, without := strings.Join(keys(columns), " "), strings.Join(keys(slices.DeleteFunc(columns, func(c encode.Column) bool { return c.Len > 0 })), " ")
	if !strings.HasPrefix(with, always+" selfplay.layout selfplay.layout_version selfplay.layout_elements selfplay.board_type selfplay.perspective selfplay.actions_version") {
		t.Errorf("%s", with)
	}
	if !strings.HasPrefix(without, always+" selfplay.perspective selfplay.actions_version") || strings.Contains(without, "layout") {
		t.Errorf("%s", without)
	}
}
