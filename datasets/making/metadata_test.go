package making

import (
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/must"
)

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
