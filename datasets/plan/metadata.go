package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"selfplay/datasets/colfile"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/internal/canonical"
	"selfplay/encode"
)

// metadataPrefix begins the metadata keys of this package. The keys of
// Description.Metadata follow them without a prefix.
const metadataPrefix = "selfplay."

// boardPerspective is the value of the metadata key perspective of files whose boards and
// actions are absolute. A plan omits it.
const boardPerspective = "board"

// Spec returns the columns, metadata and encoding of a data file: of a table in a part of shard s.
func (h *File) Spec(table string, s int, part Part) colfile.Spec {
	columns, rows := h.Description.Columns, colfile.PositionGroupRows
	if table == Games {
		columns, rows = h.Plan.GameColumns(), colfile.GameGroupRows
	}
	return colfile.Spec{
		Format:    h.Plan.Format,
		Packed:    h.Plan.BoardType == Packed,
		Columns:   columns,
		GroupRows: rows,
		Metadata:  append(h.metadata(table, columns, s, part), h.Description.Metadata...),
	}
}

// metadata returns the key-value metadata of a data file: the dataset and shard it
// belongs to, and the meaning of its numbers.
func (h *File) metadata(table string, columns []encode.Column, s int, part Part) []encode.KeyValue {
	p, d := h.Plan, h.Description
	first, _ := p.GamesOf(s, ^uint64(0))
	var kv []encode.KeyValue
	add := func(key, value string) { kv = append(kv, encode.KeyValue{Key: metadataPrefix + key, Value: value}) }
	add("plan_hash", h.Hash)
	add("format_version", strconv.Itoa(FormatVersion))
	add("game", p.Game)
	add("variant", p.Variant)
	add("table", table)
	add("shard", strconv.Itoa(s))
	add("split", part.Split)
	add("first_game", strconv.FormatUint(first, 10))
	add("games", strconv.FormatUint(part.Games, 10))
	add("columns", string(canonical.Marshal(columnsJSON(columns))))
	add("layout", p.Layout)
	add("layout_version", strconv.Itoa(p.LayoutVersion))
	add("layout_elements", string(canonical.Marshal(elementsJSON(d.Elements))))
	add("board_type", p.BoardType)
	add("perspective", cmp.Or(p.Perspective, boardPerspective))
	if len(p.Filter) > 0 {
		add("filter", string(canonical.Marshal(p.Filter)))
	}
	if p.Deblunder != "" {
		add("deblunder", p.Deblunder)
	}
	add("actions_version", strconv.Itoa(p.Actions))
	add("sides", string(canonical.Marshal(d.Sides)))
	add("results", string(canonical.Marshal(d.Results)))
	add("reasons", string(canonical.Marshal(d.Reasons)))
	if len(d.OwnReasons) > 0 {
		add("own_reasons", string(canonical.Marshal(reasonsJSON(d.OwnReasons))))
	}
	return kv
}

// RowMetadata returns metadata for a file outside the dataset that holds rows of its
// positions table, or some of their columns. It has the keys of a data file, without those
// of the shard; source_plan_hash replaces plan_hash. If no column is an array, the keys of
// layout and board type are missing. boardType is the board type in the new file; empty
// means that its format has only one, and the key is missing. The caller adds what it did
// to the rows.
func (h *File) RowMetadata(columns []encode.Column, boardType string) []encode.KeyValue {
	array := slices.ContainsFunc(columns, func(c encode.Column) bool { return c.Len > 0 })
	var list []encode.KeyValue
	for _, kv := range h.metadata(Positions, columns, 0, Part{}) {
		switch name := strings.TrimPrefix(kv.Key, metadataPrefix); {
		case name == "plan_hash":
			kv.Key = metadataPrefix + "source_plan_hash"
		case name == "shard", name == "split", name == "first_game", name == "games":
			continue
		case strings.HasPrefix(name, "layout"), name == "board_type":
			if name == "board_type" {
				kv.Value = boardType
			}
			if !array || kv.Value == "" {
				continue
			}
		}
		list = append(list, kv)
	}
	return append(list, h.Description.Metadata...)
}

// GameColumns returns the columns of the games table of the plan.
func (p Plan) GameColumns() []encode.Column {
	list := gamerow.Columns()
	if slices.Contains(p.Columns, encode.OldScoreColumn) {
		list = append(list, gamerow.OldColumns()...)
	}
	if len(p.Tags) > 0 {
		list = append(list, gamerow.TagColumns()...)
	}
	return list
}
