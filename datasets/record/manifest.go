package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"slices"
	"strconv"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// Manifest is the JSON of manifest.json: totals, and the sums of all files. It follows
// from the plan and the commit records. Its last members vouch for the documents.
type Manifest struct {
	Format   int        `json:"format"`
	PlanHash string     `json:"plan_hash"`
	Game     string     `json:"game"`
	About    plan.About `json:"about"`
	Totals
	Splits    []SplitTotals  `json:"splits"`
	Results   []NamedCount   `json:"results"`
	Dropped   []Dropped      `json:"dropped,omitempty"` // rows that the filter dropped
	Networks  []networkEntry `json:"networks,omitempty"`
	Documents []DocumentSum  `json:"documents"` // plan, card and croissant.json
	Files     []Entry        `json:"files"`
}

// documentNames are the documents whose sums are in a manifest.
var documentNames = []string{plan.FileName, plan.CardName, plan.CroissantName}

// DocumentSum describes a document. The program that writes a dataset chooses the words
// of its card. Another version has other words for the same dataset; the sum tells it
// that the stored text is unchanged.
type DocumentSum struct {
	Name   string `json:"name"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// SumDocument returns the entry of a document in the manifest.
func SumDocument(name string, data []byte) DocumentSum {
	sum := sha256.Sum256(data)
	return DocumentSum{name, len(data), hex.EncodeToString(sum[:])}
}

// SumStored is SumDocument for a document on disk.
func SumStored(d disk.Dir, name string) (DocumentSum, error) {
	s := NewSummer()
	err := d.Scan(name, func(r io.Reader) error {
		_, err := io.Copy(s, r)
		return err
	})
	return s.Document(name), err
}

// A Summer is the sum of the bytes that are written to it.
type Summer struct {
	hash  hash.Hash
	bytes int
}

// NewSummer returns the sum of no bytes.
func NewSummer() *Summer { return &Summer{hash: sha256.New()} }

func (s *Summer) Write(p []byte) (int, error) {
	s.bytes += len(p)
	return s.hash.Write(p)
}

// Document returns the entry of a document with the bytes written so far.
func (s *Summer) Document(name string) DocumentSum {
	return DocumentSum{name, s.bytes, hex.EncodeToString(s.hash.Sum(nil))}
}

// NamedCount is a ResultCount with names.
type NamedCount struct {
	Result string `json:"result"`
	Reason string `json:"reason"`
	Games  uint64 `json:"games"`
}

// Entry is the JSON of one shard in the manifest: those members of its Commit that readers without .selfplay/ need.
type Entry struct {
	Shard     int         `json:"shard"`
	FirstGame uint64      `json:"first_game"`
	Games     uint64      `json:"games"`
	Files     []FileEntry `json:"files"` // as in the commit record
}

// Entry returns the entry of the shard in the manifest.
func (c *Commit) Entry() Entry { return Entry{c.Shard, c.FirstGame, c.Games, c.Files} }

// equal compares two entries.
func (s Entry) equal(o Entry) bool {
	return s.Shard == o.Shard && s.FirstGame == o.FirstGame && s.Games == o.Games && slices.Equal(s.Files, o.Files)
}

// namedCounts returns counts with the names of results and reasons.
func namedCounts(d plan.Description, counts ResultCounts) (list []NamedCount) {
	for _, n := range counts.List() {
		list = append(list, NamedCount{d.ResultName(n.Result), d.ReasonName(n.Reason), n.Games})
	}
	return list
}

// networkEntry describes a network in the manifest.
type networkEntry struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// networkEntries returns the networks of a plan for the manifest.
func networkEntries(p plan.Plan) (list []networkEntry) {
	for _, sum := range p.Networks {
		list = append(list, networkEntry{plan.NetworkName(sum), sum})
	}
	return list
}

// sum returns the sum of the entry. It is for comparisons in memory and is never stored.
func (s *Entry) sum() EntrySum {
	b := strconv.AppendInt(make([]byte, 0, 512), int64(s.Shard), 10)
	b = strconv.AppendUint(append(b, ' '), s.FirstGame, 10)
	b = strconv.AppendUint(append(b, ' '), s.Games, 10)
	for _, f := range s.Files {
		b = strconv.AppendQuote(append(b, ' '), f.Name)
		b = strconv.AppendInt(append(b, ' '), f.Bytes, 10)
		b = strconv.AppendQuote(append(b, ' '), f.SHA256)
		b = strconv.AppendUint(append(b, ' '), f.Rows, 10)
		b = strconv.AppendQuote(append(b, ' '), f.RowDigest)
	}
	return sha256.Sum256(b)
}

// Write writes the canonical JSON of the manifest. w keeps the first error.
func (m *Manifest) Write(w *bufio.Writer) {
	entries := m.entryWriter(w)
	for _, s := range m.Files {
		entries.add(s)
	}
	entries.close()
}

// An entryWriter writes a manifest entry by entry. The writer below keeps the first error.
type entryWriter struct {
	w       *bufio.Writer
	entries int
	line    []byte // of the last entry
}

// filesTail ends the text of a manifest without entries.
const filesTail = "]\n}\n"

// entryWriter writes all members but Files.
func (m *Manifest) entryWriter(w *bufio.Writer) *entryWriter {
	head := *m
	head.Files = []Entry{}
	_, _ = w.Write(bytes.TrimSuffix(canonical.MarshalIndented(head), []byte(filesTail)))
	return &entryWriter{w: w}
}

// add writes an entry.
func (w *entryWriter) add(s Entry) {
	if w.entries > 0 {
		_ = w.w.WriteByte(',')
	}
	w.entries++
	w.line = s.appendText(w.line[:0])
	_, _ = w.w.Write(w.line)
}

// close writes the end of the manifest.
func (w *entryWriter) close() {
	if w.entries > 0 {
		_, _ = w.w.WriteString("\n  ")
	}
	_, _ = w.w.WriteString(filesTail)
}

// appendText appends the canonical text of the entry, as an element of a list that is a member of the
// outermost object. Package encoding/json would take most of the time of a manifest.
func (s *Entry) appendText(b []byte) []byte {
	b = strconv.AppendInt(append(b, "\n    {\n      \"shard\": "...), int64(s.Shard), 10)
	b = strconv.AppendUint(append(b, ",\n      \"first_game\": "...), s.FirstGame, 10)
	b = strconv.AppendUint(append(b, ",\n      \"games\": "...), s.Games, 10)
	before := ",\n      \"files\": [\n        "
	for _, f := range s.Files {
		b = f.appendText(append(b, before...), "\n          ")
		before = ",\n        "
	}
	return append(b, "\n      ]\n    }"...)
}

// appendText appends the canonical text of a file. indent is a line break with the indent of its members.
func (f *FileEntry) appendText(b []byte, indent string) []byte {
	b = canonical.AppendString(append(append(append(b, '{'), indent...), "\"name\": "...), f.Name)
	b = strconv.AppendInt(append(append(append(b, ','), indent...), "\"bytes\": "...), f.Bytes, 10)
	b = canonical.AppendString(append(append(append(b, ','), indent...), "\"sha256\": "...), f.SHA256)
	b = strconv.AppendUint(append(append(append(b, ','), indent...), "\"rows\": "...), f.Rows, 10)
	b = canonical.AppendString(append(append(append(b, ','), indent...), "\"row_digest\": "...), f.RowDigest)
	return append(append(b, indent[:len(indent)-2]...), '}')
}

// manifestScan decodes a manifest one entry at a time. The manifest of 100,000 shards has
// 60 MB, and decoding it as a whole takes several times as much. The scan encodes again
// what it has decoded: the file is canonical if both texts have the same SHA-256.
type manifestScan struct {
	dec  *json.Decoder
	read hash.Hash // of the file
	want hash.Hash // of the canonical text
	head Manifest  // without Files
	each func(Entry, EntrySum)
}

// ScanManifest reads the manifest of a dataset and calls each for every shard, in the order
// of the file. It returns the manifest without Files, and the SHA-256 of the file. After an
// error, discard what each received. The error is fs.ErrNotExist if there is no manifest.
func ScanManifest(d disk.Dir, each func(Entry, EntrySum)) (head *Manifest, sum EntrySum, err error) {
	s := &manifestScan{read: sha256.New(), want: sha256.New(), each: each}
	err = d.Scan(plan.ManifestName, func(r io.Reader) error {
		r = io.TeeReader(r, s.read)
		s.dec = json.NewDecoder(r)
		s.dec.DisallowUnknownFields()
		if err := s.members(); err != nil {
			return err
		}
		_, err := io.Copy(io.Discard, r) // the rest is part of the sum
		return err
	})
	if err == nil {
		err = s.check()
	}
	return &s.head, EntrySum(s.read.Sum(nil)), err
}

// check checks the manifest as a whole.
func (s *manifestScan) check() error {
	if !bytes.Equal(s.read.Sum(nil), s.want.Sum(nil)) {
		return canonical.ErrForm
	}
	if !slices.EqualFunc(s.head.Documents, documentNames, func(s DocumentSum, name string) bool { return s.Name == name }) {
		return fault.Corrupt("documents other than %v", documentNames)
	}
	return nil
}

// members reads the object, up to its closing brace.
func (s *manifestScan) members() error {
	err := s.delim('{')
	for err == nil && s.dec.More() {
		err = s.member()
	}
	if err == nil {
		err = s.delim('}')
	}
	return err
}

// member reads a name and its value.
func (s *manifestScan) member() error {
	name, err := s.dec.Token()
	switch field := s.head.field(name); {
	case err != nil:
		return fault.Corrupt("%v", err)
	case name == "files":
		return s.files()
	case field == nil:
		return fault.Corrupt("unknown field %q", name)
	default:
		err = s.dec.Decode(field)
	}
	if err != nil {
		return fault.Corrupt("%v", err)
	}
	if name == "format" { // the first member: nothing else of another format is decoded
		return plan.CheckVersion(s.head.Format)
	}
	return nil
}

// field returns a pointer to the field with a name in JSON, except Files. It returns nil if
// there is none.
func (m *Manifest) field(name json.Token) any {
	return map[json.Token]any{
		"format": &m.Format, "plan_hash": &m.PlanHash, "game": &m.Game, "about": &m.About, "shards": &m.Shards, "games": &m.Games,
		"rows": &m.Rows, "bytes": &m.Bytes, "splits": &m.Splits, "results": &m.Results, "dropped": &m.Dropped, "networks": &m.Networks, "documents": &m.Documents,
	}[name]
}

// files reads the entries. In canonical text they follow all other members.
func (s *manifestScan) files() error {
	if err := s.delim('['); err != nil {
		return err
	}
	want := bufio.NewWriter(s.want)
	w := s.head.entryWriter(want)
	for s.dec.More() {
		var e Entry
		if err := s.dec.Decode(&e); err != nil {
			return fault.Corrupt("%v", err)
		}
		w.add(e)
		s.each(e, e.sum())
	}
	w.close()
	if err := want.Flush(); err != nil {
		return err
	}
	return s.delim(']')
}

// delim reads a brace or bracket.
func (s *manifestScan) delim(want json.Delim) error {
	found, err := s.dec.Token()
	if err == nil && found != want {
		err = fault.Corrupt("%v instead of %v", found, want)
	} else if err != nil {
		err = fault.Corrupt("%v", err)
	}
	return err
}

// StoredManifest is what remains in memory of the manifest on disk, or the error of reading
// it.
type StoredManifest struct {
	*Manifest            // without Files
	Entries   []entryKey // in the order of Files
	Sum       EntrySum   // of the file
	Err       error      // fs.ErrNotExist if there is none
}

// ReadStored reads the manifest on disk. What is wrong with it is in Err.
func ReadStored(d disk.Dir) StoredManifest { return readStored(d, func(Entry) {}) }

// readStored passes every entry of the manifest to each.
func readStored(d disk.Dir, each func(Entry)) (m StoredManifest) {
	m.Manifest, m.Sum, m.Err = ScanManifest(d, func(s Entry, sum EntrySum) {
		m.Entries = append(m.Entries, entryKey{s.Shard, s.Games, sum})
		each(s)
	})
	if m.Err != nil {
		return StoredManifest{Err: m.Err}
	}
	return m
}

// Shards returns the shards of the manifest.
func (m StoredManifest) Shards() map[int]bool {
	listed := make(map[int]bool, len(m.Entries))
	for _, e := range m.Entries {
		listed[e.Shard] = true
	}
	return listed
}

// IsCurrent reports whether the manifest describes all committed shards.
func (m StoredManifest) IsCurrent(file *plan.File, records *Set) bool {
	return records.All.Manifest(file).sameTotals(m.Manifest) && slices.EqualFunc(m.Entries, records.List, sameEntry)
}

// IsEarlier reports whether the manifest describes those committed shards that it lists. It
// may have been written before the others were made.
func (m StoredManifest) IsEarlier(file *plan.File, records *Set) bool {
	listed := m.Shards()
	of := slices.DeleteFunc(slices.Clone(records.List), func(r Shard) bool { return !listed[r.Shard] })
	return records.listed.Manifest(file).sameTotals(m.Manifest) && slices.EqualFunc(m.Entries, of, sameEntry)
}

func sameEntry(e entryKey, r Shard) bool { return e == r.entryKey }

// LostRecord returns ErrCorrupt if a shard of the manifest has no record, and names the first
// such shard.
func (m StoredManifest) LostRecord(records *Set) error {
	for _, e := range m.Entries {
		if _, found := records.find(e.Shard); !found {
			return errNotCommitted(e.Shard)
		}
	}
	return nil
}

// ReadSet reads all records in shard order and passes each one to each, which may be
// nil. stored is the manifest on disk.
func ReadSet(d disk.Dir, file *plan.File, stored StoredManifest, each func(*Commit)) (*Set, error) {
	r, listed := NewSet(file.Plan), stored.Shards()
	for c, err := range Each(d, file) {
		if err != nil {
			return nil, err
		}
		r.Add(c, listed[c.Shard])
		if each != nil {
			each(c)
		}
	}
	return r, nil
}

// ReadManifest reads the manifest of a dataset. The error is fs.ErrNotExist if there is
// none.
func ReadManifest(d disk.Dir) (*Manifest, error) {
	var files []Entry
	m, _, err := ScanManifest(d, func(s Entry, _ EntrySum) { files = append(files, s) })
	if err != nil {
		return nil, err
	}
	m.Files = files
	return m, nil
}

// ErrAboutChanged is explained at Manifest.AboutChanged.
var ErrAboutChanged = fault.Corrupt("title, licence, creator, date or url differ from those in %s", plan.ManifestName)

// AboutChanged reports whether About in plan.json was changed after the manifest was
// written. The plan hash does not cover it.
func (m *Manifest) AboutChanged(file *plan.File) bool {
	return m.About != file.About && m.Documents[0] != SumDocument(plan.FileName, file.Encode())
}

func errNotCommitted(shard int) error { return fault.Corrupt("shard %05d has no commit record", shard) }

// sameTotals compares all members but Documents and Files. Documents may differ, if programs
// of two versions wrote the manifests.
func (m *Manifest) sameTotals(other *Manifest) bool {
	a, b := *m, *other
	a.Documents, b.Documents = nil, nil
	a.Files, b.Files = nil, nil
	return string(canonical.Marshal(a)) == string(canonical.Marshal(b))
}
