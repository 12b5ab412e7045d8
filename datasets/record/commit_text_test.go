package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// textRecord is a record with every member.
func textRecord() *Commit {
	return &Commit{Format: plan.FormatVersion, Plan: "0123", Shard: 7, FirstGame: 70, Games: 10, Rows: 1 << 63,
		Results: []ResultCount{{0, 10, 3}, {255, 1, 7}}, Dropped: []Dropped{{"unique", 0}, {"keep<5", 12}}, Build: "v1 (a & b)",
		Files: []FileEntry{
			{"positions/train-00007.parquet", 1<<63 - 1, "ab", 1 << 63, "cd"},
			{"games/train-00007.parquet", 0, "ef", 10, "01"},
		}}
}

// textRecords are records of several forms.
func textRecords() map[string]*Commit {
	list := map[string]*Commit{"every member": textRecord()}
	change := func(name string, by func(c *Commit)) {
		c := textRecord()
		by(c)
		list[name] = c
	}
	change("four files", func(c *Commit) { c.Files = append(c.Files, c.Files...) })
	change("nothing dropped", func(c *Commit) { c.Dropped = nil })
	change("no results", func(c *Commit) { c.Results = nil })
	change("a quote", func(c *Commit) { c.Build = `a "b"` })
	change("letters beyond ASCII", func(c *Commit) { c.Build = "ä\u2028" })
	change("another format", func(c *Commit) { c.Format = plan.FormatVersion + 1 })
	return list
}

// slowCommit is decodeCommit without scanCommit.
func slowCommit(data []byte) (*Commit, bool) {
	c := new(Commit)
	if err := canonical.Unmarshal(data, c); err != nil {
		return nil, false
	}
	return c, string(data) == string(c.Encode())
}

func TestScannedRecordIsTheWrittenOne(t *testing.T) {
	plain := map[string]bool{"every member": true, "four files": true, "nothing dropped": true, "another format": true}
	for name, want := range textRecords() {
		text := want.Encode()
		c, ok := scanCommit(text)
		if ok != plain[name] {
			t.Errorf("%s: read at once: %t, want %t", name, ok, plain[name])
		}
		if ok && (string(c.Encode()) != string(text) || !c.Same(want)) {
			t.Errorf("%s: %+v, want %+v", name, c, want)
		}
		if c, err := decodeCommit(text); name != "another format" && (err != nil || !c.Same(want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestChangedRecordIsNotScanned: no text but the canonical one is accepted, whichever byte is changed,
// missing or added.
func TestChangedRecordIsNotScanned(t *testing.T) {
	text := textRecord().Encode()
	for i := range text {
		for _, changed := range [][]byte{
			bytes.Replace(text, text[i:], append([]byte{text[i] ^ 1}, text[i+1:]...), 1),
			append(bytes.Clone(text[:i]), text[i+1:]...),
			append(append(bytes.Clone(text[:i]), ' '), text[i:]...),
			append(append(bytes.Clone(text[:i]), '0'), text[i:]...),
			text[:i],
		} {
			if c, ok := scanCommit(changed); ok {
				t.Fatalf("byte %d: %s is accepted as %+v", i, changed, c)
			}
		}
	}
}

// FuzzScanCommit: a text that is scanned is one that encoding/json accepts as the same record.
func FuzzScanCommit(f *testing.F) {
	for _, c := range textRecords() {
		f.Add(string(c.Encode()), "")
		f.Add(strings.Replace(string(c.Encode()), "1", "01", 1), c.sum())
	}
	f.Fuzz(func(t *testing.T, text, sum string) {
		if c := new(Commit); canonical.Unmarshal([]byte(text), c) == nil && sum == "" {
			text = string(c.Encode()) // with the right sum
		}
		fast, ok := scanCommit([]byte(text))
		if !ok {
			return
		}
		if slow, canonical := slowCommit([]byte(text)); !canonical || string(slow.Encode()) != string(fast.Encode()) {
			t.Errorf("%q is %+v", text, fast)
		}
	})
}

// TestEntryTextIsThatOfJSON: entries of manifests are written without encoding/json.
func TestEntryTextIsThatOfJSON(t *testing.T) {
	for _, name := range []string{"", plan.Train, `a"b\`, "<ä>"} {
		entry := textRecord().Entry()
		entry.Files[0].Name = name
		var want bytes.Buffer
		w := bufio.NewWriter(&want)
		canonical.WriteElement(w, entry)
		_ = w.Flush()
		if got := string(entry.appendText(nil)); got != want.String() {
			t.Errorf("%s\nwant %s", got, &want)
		}
	}
}

// TestEncodedRecordHasItsSum: the sum is of the record without it, wherever that is encoded.
func TestEncodedRecordHasItsSum(t *testing.T) {
	c := &Commit{Plan: "a<b", Results: []ResultCount{{1, 2, 3}}, Sum: "an old one"}
	var read Commit
	must.Do(t, json.Unmarshal(c.Encode(), &read))
	bare := read
	bare.Sum = ""
	if want := canonical.Hash(bare); read.Sum != want || c.Sum != "an old one" {
		t.Errorf("sum %s, want %s; the argument has %s", read.Sum, want, c.Sum)
	}
}
