package plan

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/engine"
)

// About holds the facts about a dataset that are not part of its plan: title and origin.
// The run that creates the dataset writes them to plan.json; later runs do not change
// them.
type About struct {
	Title   string `json:"title"`
	Licence string `json:"licence"`       // an SPDX identifier; empty if unknown
	Creator string `json:"creator"`       // a person or organization; empty if unknown
	Date    string `json:"date"`          // YYYY-MM-DD; empty if not given
	URL     string `json:"url,omitempty"` // home page
}

// File is the content of plan.json.
type File struct {
	Plan        Plan
	Hash        string
	Description Description
	About       About
}

// New completes a plan for a new dataset: with defaults, the description and the
// versions of this program.
func New(p Plan, d Description, a About) (*File, error) {
	if err := colfile.CheckColumns(d.Columns); err != nil {
		return nil, err
	}
	p = p.WithDefaults().Clone()
	p.Columns = ColumnNames(d.Columns)
	p.Description = d.Hash()
	a.Title = cmp.Or(a.Title, d.Title+" self-play")
	file := &File{p, p.Hash(), d, a}
	return file, cmp.Or(p.Validate(), file.check())
}

// Complete returns the plan as Make stores it, and its hash. It fills in the fields
// that follow from the description and from this program.
func Complete(plan Plan, d Description) (Plan, string, error) {
	file, err := New(plan, d, About{})
	if err != nil {
		return Plan{}, "", err
	}
	return file.Plan, file.Hash, nil
}

// check reports why plan and description do not fit each other, or the columns that positions
// of any game have. Readers look columns up by name and index tables by what they say.
func (file *File) check() error {
	columns := file.Description.Columns
	if names := ColumnNames(columns); !slices.Equal(file.Plan.Columns, names) {
		return fault.Corrupt("the plan has columns %q, the description has %q", file.Plan.Columns, names)
	}
	for _, name := range []string{encode.GameColumn, encode.PlyColumn, encode.SideColumn, encode.BoardColumn} {
		if encode.ColumnNamed(columns, name) < 0 {
			return fault.Corrupt("column %s is missing", name)
		}
	}
	if n := len(file.Description.Results); n <= int(engine.Draw) {
		return fault.Corrupt("%d names of results, want %d", n, engine.Draw+1)
	}
	for _, want := range encode.AllColumns() {
		if at := encode.ColumnNamed(columns, want.Name); at >= 0 {
			if err := compareColumn(columns[at], want); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareColumn compares kind and length of a column with those that encode gives it. Those
// of a board depend on the layout.
func compareColumn(c, want encode.Column) error {
	switch {
	case c.Name == encode.BoardColumn && c.Len < 1:
		return fault.Corrupt("column %s is not an array", c.Name)
	case c.Name != encode.BoardColumn && (c.Kind != want.Kind || c.Len != want.Len):
		return fault.Corrupt("column %s: kind %s and length %d, want %s and %d", c.Name, c.Kind, c.Len, want.Kind, want.Len)
	}
	return nil
}

// Names inside a dataset, with forward slashes. Names that start with a dot hold
// bookkeeping; programs that read a folder of data skip them.
const (
	FileName      = "plan.json"
	ManifestName  = "manifest.json"
	CardName      = "README.md"
	CroissantName = "croissant.json"

	Positions = "positions"
	Games     = "games"

	TargetName    = disk.Hidden + "/target.json"
	CommitsFolder = disk.Hidden + "/commits"
	AnswersFolder = disk.Hidden + "/answers" // of approximate models to fixed positions

	RunsFolder   = disk.Hidden + "/runs"           // heartbeats
	FailuresName = disk.Hidden + "/failures.jsonl" // games that panicked; see failure.go
)

// Tables holds the names of the tables, in the order of PositionsFile and GamesFile.
var Tables = [2]string{PositionsFile: Positions, GamesFile: Games}

// The files of a part of a shard, as indexes.
const (
	PositionsFile = 0
	GamesFile     = 1
)

// The splits. No game is in two.
const (
	Train      = "train"
	Validation = "validation"
)

// maxShardGames bounds the games of a shard, so that no count or offset in its files
// overflows.
const maxShardGames = 1_000_000

// MaxShards is the largest number of shards of a dataset: file names have five digits.
const MaxShards = 100_000

// recordName returns the name of the record of shard s inside its folder.
func recordName(s int) string { return fmt.Sprintf("%05d.json", s) }

// CommitName returns the name of the commit record of shard s.
func CommitName(s int) string { return path.Join(CommitsFolder, recordName(s)) }

// ShardOfRecord is the inverse of recordName.
func ShardOfRecord(name string) (s int, ok bool) {
	s, err := strconv.Atoi(strings.TrimSuffix(name, ".json"))
	return s, err == nil && s >= 0 && s < MaxShards && name == recordName(s)
}

// FormatVersion is the version of the directory: file names, plan.json and commit records. Another one in a
// file is ErrUnsupported.
const FormatVersion = 1

// fileJSON is the JSON of plan.json.
type fileJSON struct {
	Format      int             `json:"format"`
	Hash        string          `json:"hash"`
	Plan        Plan            `json:"plan"`
	Description descriptionJSON `json:"description"`
	About       About           `json:"about"`
}

// Encode returns the bytes of plan.json.
func (file *File) Encode() []byte {
	return canonical.MarshalIndented(fileJSON{FormatVersion, file.Hash, file.Plan, file.Description.toJSON(), file.About})
}

// Parse reads plan.json and checks both hashes. It checks plan and description too:
// hashes do not show an edit that renews them.
func Parse(data []byte) (*File, error) {
	if err := checkBuild(data); err != nil {
		return nil, err
	}
	var f fileJSON
	if err := canonical.Unmarshal(data, &f); err != nil {
		return nil, cmp.Or(checkMembers(data), err)
	}
	if hash := f.Plan.Hash(); hash != f.Hash {
		return nil, fault.Corrupt("its contents have another hash than %.12s, which it names", f.Hash)
	}
	d, err := f.Description.description()
	if err != nil {
		return nil, err
	}
	if hash := d.Hash(); hash != f.Plan.Description {
		return nil, fault.Corrupt("description hash %.12s, but the plan says %.12s", hash, f.Plan.Description)
	}
	if err := f.Plan.Validate(); err != nil {
		return nil, err
	}
	file := &File{f.Plan, f.Hash, d, f.About}
	return file, file.check()
}

// checkMembers returns ErrUnsupported if the plan has the hash that its file names, and so is not damaged, but
// members that this build does not know.
func checkMembers(data []byte) error {
	var f struct {
		Hash string          `json:"hash"`
		Plan json.RawMessage `json:"plan"`
	}
	if json.Unmarshal(data, &f) != nil || canonical.Hash(f.Plan) != f.Hash {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(f.Plan))
	dec.DisallowUnknownFields()
	err := dec.Decode(new(Plan))
	if err != nil {
		err = fmt.Errorf("%v: %w: use the build that made the dataset", err, fault.ErrUnsupported)
	}
	return err
}

// Read reads the plan of a dataset. The error is ErrNotDataset if there is neither
// a plan nor a commit record, and ErrCorrupt if only the plan is missing.
func Read(d disk.Dir) (*File, error) {
	data, err := d.ReadFile(FileName)
	if errors.Is(err, fs.ErrNotExist) {
		shards, listErr := d.List(CommitsFolder)
		if len(shards) == 0 && listErr == nil {
			return nil, fmt.Errorf("open %s: %w: no %s", d, fault.ErrNotDataset, FileName)
		}
		data, err = d.ReadFile(FileName) // another task may have written plan and records meanwhile
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &fault.FileError{Op: "read", Path: FileName, Err: fault.Corrupt("missing: %w", errors.Join(err, listErr))}
		}
	}
	if err != nil && !errors.Is(err, fault.ErrCorrupt) {
		return nil, err
	}
	var file *File
	if err == nil {
		file, err = Parse(data)
	}
	if err != nil {
		return nil, &fault.FileError{Op: "read", Path: FileName, Err: err}
	}
	return file, nil
}

// checkBuild refuses the plan of another build, before anything else is decoded.
func checkBuild(data []byte) error {
	var version struct {
		Plan struct {
			Prerelease int `json:"prerelease"`
		} `json:"plan"`
	}
	if err := CheckFormat(data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return fault.Corrupt("%v", err)
	}
	return checkPrerelease(version.Plan.Prerelease)
}

// CheckFormat refuses data of another format, before anything else is decoded.
func CheckFormat(data []byte) error {
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return fault.Corrupt("%v", err)
	}
	return CheckVersion(version.Format)
}

// CheckVersion refuses another format.
func CheckVersion(format int) error {
	switch {
	case format < 1:
		return fault.Corrupt("format %d", format)
	case format != FormatVersion:
		return fmt.Errorf("format %d: %w: this program reads format %d; use the program that made the dataset", format, fault.ErrUnsupported, FormatVersion)
	}
	return nil
}

// metadataPrefix begins the metadata keys of this package. The keys of
// Description.Metadata follow them without a prefix.
const metadataPrefix = "selfplay."

// boardPerspective is the value of the metadata key perspective of files whose boards and
// actions are absolute. A plan omits it.
const boardPerspective = "board"

// Spec returns the columns, metadata and encoding of a data file: of a table in a part of shard s.
func (file *File) Spec(table string, s int, part Part) colfile.Spec {
	columns, rows := file.Description.Columns, colfile.PositionGroupRows
	if table == Games {
		columns, rows = file.Plan.GameColumns(), colfile.GameGroupRows
	}
	return colfile.Spec{
		Format:    file.Plan.Format,
		Packed:    file.Plan.BoardType == Packed,
		Columns:   columns,
		GroupRows: rows,
		Metadata:  append(file.metadata(table, columns, s, part), file.Description.Metadata...),
	}
}

// metadata returns the key-value metadata of a data file: the dataset and shard it
// belongs to, and the meaning of its numbers.
func (file *File) metadata(table string, columns []encode.Column, s int, part Part) []encode.KeyValue {
	p, d := file.Plan, file.Description
	first, _ := p.GamesOf(s, ^uint64(0))
	var kv []encode.KeyValue
	add := func(key, value string) { kv = append(kv, encode.KeyValue{Key: metadataPrefix + key, Value: value}) }
	add("plan_hash", file.Hash)
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
func (file *File) RowMetadata(columns []encode.Column, boardType string) []encode.KeyValue {
	array := slices.ContainsFunc(columns, func(c encode.Column) bool { return c.Len > 0 })
	var list []encode.KeyValue
	for _, kv := range file.metadata(Positions, columns, 0, Part{}) {
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
	return append(list, file.Description.Metadata...)
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
