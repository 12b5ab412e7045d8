package datasets

import (
	"strconv"

	"selfplay/encode"
)

// metadataPrefix stands before the keys that this package writes into every data
// file; the keys of Description.Metadata follow as they are.
const metadataPrefix = "selfplay."

// spec returns what the file of a table holds in shard s of games games.
func (h *header) spec(table string, s int, first, games uint64) tableSpec {
	columns, rows := h.description.Columns, PositionsGroup
	if table == gamesName {
		columns, rows = GameColumns(), gamesGroup
	}
	return tableSpec{
		format:   h.plan.Format,
		packed:   h.plan.BoardType == Packed,
		columns:  columns,
		rows:     rows,
		metadata: append(h.metadata(table, columns, s, first, games), h.description.Metadata...),
	}
}

// specOf is spec for a committed shard.
func (h *header) specOf(c *Commit, f int) tableSpec {
	return h.spec(tables[f], c.Shard, c.FirstGame, c.Games)
}

// metadata returns the key/value metadata of a file: what it is a part of, and
// what its numbers mean.
func (h *header) metadata(table string, columns []encode.Column, s int, first, games uint64) []encode.KeyValue {
	p, d := h.plan, h.description
	var kv []encode.KeyValue
	add := func(key, value string) { kv = append(kv, encode.KeyValue{Key: metadataPrefix + key, Value: value}) }
	add("plan_hash", h.hash)
	add("format_version", strconv.Itoa(FormatVersion))
	add("game", p.Game)
	add("variant", p.Variant)
	add("table", table)
	add("shard", strconv.Itoa(s))
	add("split", p.split(s))
	add("first_game", strconv.FormatUint(first, 10))
	add("games", strconv.FormatUint(games, 10))
	add("columns", string(encodeJSON(columnsJSON(columns), "")))
	add("layout", p.Layout)
	add("layout_version", strconv.Itoa(p.LayoutVersion))
	add("layout_elements", string(encodeJSON(elementsJSON(d.Elements), "")))
	add("board_type", p.BoardType)
	if p.Perspective != "" {
		add("perspective", p.Perspective)
	}
	if len(p.Filter) > 0 {
		add("filter", string(encodeJSON(p.Filter, "")))
	}
	add("actions_version", strconv.Itoa(p.Actions))
	add("sides", string(encodeJSON(d.Sides, "")))
	add("results", string(encodeJSON(d.Results, "")))
	add("reasons", string(encodeJSON(d.Reasons, "")))
	return kv
}
