package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"hash"
	"io"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

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
