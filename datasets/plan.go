package datasets

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"selfplay/datasets/colfile"
	"selfplay/datasets/internal/fault"
	"slices"
	"strings"
)

// Formats and board types of a plan; see package colfile.
const (
	Parquet       = colfile.Parquet
	Arrow         = colfile.Arrow
	List          = colfile.List
	Packed        = colfile.Packed
	WriterVersion = colfile.WriterVersion
)

// Mover is the perspective of rows that are seen by the side to move. Stored in
// plans; never renamed.
const Mover = "mover"

// Defaults of a plan.
const (
	DefaultShardGames = 1000
	DefaultValidation = 50 // thousandths
)

// Player is who plays a side: a specification and the version of its behaviour.
type Player struct {
	Spec    string `json:"spec"`
	Version int    `json:"version"`
}

// Plan is everything the bytes of a dataset depend on: two datasets of one plan
// are equal byte for byte. How many games are made is not part of it.
//
// The JSON is frozen: fields keep their name and order, new ones go to the end of
// their group and are omitted while empty, so that old hashes stay.
type Plan struct {
	Game     string    `json:"game"`
	Variant  string    `json:"variant"`
	Rules    int       `json:"rules"`
	Players  [2]Player `json:"players"`
	Seed     uint64    `json:"seed"`
	MaxPlies int       `json:"max_plies"`
	Play     []string  `json:"play,omitempty"` // what games depend on besides: openings, exploration, adjudication

	Layout        string   `json:"layout"`
	LayoutVersion int      `json:"layout_version"`
	Actions       int      `json:"actions"` // version of the action numbers
	Columns       []string `json:"columns"`
	Description   string   `json:"description"`           // Description.Hash; Make fills it in
	Perspective   string   `json:"perspective,omitempty"` // Mover, or empty: boards and actions are absolute
	Filter        []string `json:"filter,omitempty"`      // what leaves rows out, in the order in which it is asked

	Format     string `json:"format"`
	BoardType  string `json:"board_type"`
	Codec      string `json:"codec"`
	Writer     int    `json:"writer"` // WriterVersion; Make fills it in
	ShardGames int    `json:"shard_games"`
	Validation int    `json:"validation"` // thousandths of the shards
}

// WithDefaults returns the plan with every empty storage field set.
func (p Plan) WithDefaults() Plan {
	p.Format = cmp.Or(p.Format, Parquet)
	p.BoardType = cmp.Or(p.BoardType, List)
	p.Codec = cmp.Or(p.Codec, codecOf(p.Format))
	p.Writer = cmp.Or(p.Writer, WriterVersion)
	p.ShardGames = cmp.Or(p.ShardGames, DefaultShardGames)
	return p
}

func codecOf(format string) string {
	if format == Arrow {
		return colfile.CodecArrow
	}
	return colfile.CodecParquet
}

// Validate reports why this program can neither make nor read a dataset of the plan.
func (p Plan) Validate() error {
	switch {
	case p.Game == "":
		return fmt.Errorf("check plan: no game")
	case p.Perspective != "" && p.Perspective != Mover:
		return fmt.Errorf("check plan: perspective %q: %w: want board or %s", p.Perspective, ErrUnsupported, Mover)
	case p.Format != Parquet && p.Format != Arrow:
		return fmt.Errorf("check plan: format %q: %w: want %s or %s", p.Format, ErrUnsupported, Parquet, Arrow)
	case p.BoardType != List && p.BoardType != Packed:
		return fmt.Errorf("check plan: board type %q: %w: want %s or %s", p.BoardType, ErrUnsupported, List, Packed)
	case p.Codec != codecOf(p.Format):
		return fmt.Errorf("check plan: codec %q for %s: %w", p.Codec, p.Format, ErrUnsupported)
	case p.Writer < 1 || p.Writer > WriterVersion:
		return fmt.Errorf("check plan: writer version %d, this program has %d: %w", p.Writer, WriterVersion, ErrUnsupported)
	case p.ShardGames < 1 || p.ShardGames > maxShardGames:
		return fmt.Errorf("check plan: %d games a shard: want 1 to %d", p.ShardGames, maxShardGames)
	case p.Validation < 0 || p.Validation > 1000:
		return fmt.Errorf("check plan: validation share %d: want 0 to 1000 thousandths", p.Validation)
	}
	return nil
}

// Hash returns the SHA-256 of the plan's canonical JSON in hexadecimal.
func (p Plan) Hash() string { return hashJSON(p) }

// hashJSON is the hash of a value's canonical JSON: no white space, fields in
// the order of the type.
func hashJSON(v any) string {
	sum := sha256.Sum256(encodeJSON(v, ""))
	return hex.EncodeToString(sum[:])
}

// encodeJSON is json.Marshal with texts as they are: a player may be called
// "a<b". The types of this package always encode.
func encodeJSON(v any, indent string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("datasets: encode %T: %v", v, err))
	}
	if indent == "" {
		return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	}
	return b.Bytes()
}

// decodeJSON reads exactly one value without unknown fields.
func decodeJSON(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return fault.Corrupt("%v", err)
	}
	if dec.More() {
		return fault.Corrupt("text after the value")
	}
	return nil
}

// Diff names the fields in which q differs from p: "seed is 1, not 2".
func (p Plan) Diff(q Plan) []string {
	var diffs []string
	a, b := reflect.ValueOf(p), reflect.ValueOf(q)
	for i := range a.NumField() {
		x, y := a.Field(i).Interface(), b.Field(i).Interface()
		if reflect.DeepEqual(x, y) {
			continue
		}
		if a.Type().Field(i).Name == "Description" && (p.Game != q.Game || p.Layout != q.Layout) {
			continue // a hash that follows from these
		}
		name, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("json"), ",")
		diffs = append(diffs, fmt.Sprintf("%s is %s, not %s", name, encodeJSON(x, ""), encodeJSON(y, "")))
	}
	return diffs
}

// clone returns a plan that shares no memory with p.
func (p Plan) clone() Plan {
	p.Columns = slices.Clone(p.Columns)
	p.Play = slices.Clone(p.Play)
	p.Filter = slices.Clone(p.Filter)
	return p
}
