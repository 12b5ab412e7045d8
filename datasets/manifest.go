package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"slices"
	"strconv"
)

// manifest is manifest.json: what a dataset holds. It is derived from the plan
// and the commit records, and vouches for the documents beside it.
type manifest struct {
	Format    int             `json:"format"`
	PlanHash  string          `json:"plan_hash"`
	Game      string          `json:"game"`
	About     About           `json:"about"`
	Shards    int             `json:"shards"`
	Games     uint64          `json:"games"`
	Rows      uint64          `json:"rows"`
	Bytes     int64           `json:"bytes"`
	Splits    []SplitTotals   `json:"splits"`
	Results   []namedCount    `json:"results"`
	Dropped   []Dropped       `json:"dropped,omitempty"` // rows that the filter left out
	Documents []documentSum   `json:"documents"`         // of documentNames, in that order
	Files     []manifestShard `json:"files"`
}

// documentNames are the documents whose sums a manifest has.
var documentNames = []string{planName, cardName, croissantName}

// documentSum is what must be true of a document. Card and croissant.json are worded by
// the program that wrote them: a later one has other words for the same dataset, but
// can tell by the sum that nobody changed these.
type documentSum struct {
	Name   string `json:"name"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func sumDocument(name string, data []byte) documentSum {
	sum := sha256.Sum256(data)
	return documentSum{name, len(data), hex.EncodeToString(sum[:])}
}

// SplitTotals sums up one split. Splits without a shard are left out.
type SplitTotals struct {
	Split  string `json:"split"`
	Shards int    `json:"shards"`
	Games  uint64 `json:"games"`
	Rows   uint64 `json:"rows"`
	Bytes  int64  `json:"bytes"`
}

// namedCount is Count by names.
type namedCount struct {
	Result string `json:"result"`
	Reason string `json:"reason"`
	Games  uint64 `json:"games"`
}

type manifestShard struct {
	Shard     int    `json:"shard"`
	Split     string `json:"split"`
	FirstGame uint64 `json:"first_game"`
	Games     uint64 `json:"games"`
	Positions Digest `json:"positions"`
	GamesFile Digest `json:"games_file"`
}

// tables returns the files of a shard, by table.
func (s manifestShard) tables() [2]Digest {
	return [2]Digest{positionsFile: s.Positions, gamesFile: s.GamesFile}
}

func newManifest(h *header, commits []*Commit) *manifest {
	m := &manifest{Format: FormatVersion, PlanHash: h.hash, Game: h.plan.Game, About: h.about, Shards: len(commits)}
	m.Dropped = h.plan.allDropped(commits)
	total := results{}
	splits := map[string]*SplitTotals{Train: {Split: Train}, Validation: {Split: Validation}}
	for _, c := range commits {
		s := splits[c.Split]
		s.Shards++
		s.Games += c.Games
		s.Rows += c.Rows
		s.Bytes += c.bytes()
		m.Games += c.Games
		m.Rows += c.Rows
		m.Bytes += c.bytes()
		for _, n := range c.Results {
			total[[2]uint8{n.Result, n.Reason}] += n.Games
		}
		m.Files = append(m.Files, manifestShard{c.Shard, c.Split, c.FirstGame, c.Games,
			c.Files[positionsFile], c.Files[gamesFile]})
	}
	m.Splits = []SplitTotals{} // null is unkind to scripts
	for _, name := range []string{Train, Validation} {
		if splits[name].Shards > 0 {
			m.Splits = append(m.Splits, *splits[name])
		}
	}
	for _, n := range total.counts() {
		m.Results = append(m.Results, namedCount{nameOf(h.description.Results, n.Result), nameOf(h.description.Reasons, n.Reason), n.Games})
	}
	return m
}

// nameOf returns the name of a number, or the number where there is no name.
func nameOf(names []string, n uint8) string {
	if int(n) < len(names) {
		return names[n]
	}
	return strconv.Itoa(int(n))
}

func (m *manifest) encode() []byte { return encodeJSON(m, "  ") }

// readManifest reads the manifest of the dataset in d; fs.ErrNotExist if there is none.
func readManifest(d disk.Dir) (*manifest, error) {
	data, err := d.ReadFile(manifestName)
	if err != nil {
		return nil, err
	}
	if err := checkFormat(data); err != nil {
		return nil, err
	}
	var m manifest
	if err := decodeJSON(data, &m); err != nil {
		return nil, err
	}
	if string(data) != string(m.encode()) {
		return nil, fault.Corrupt("not as it was written")
	}
	if !slices.EqualFunc(m.Documents, documentNames, func(s documentSum, name string) bool { return s.Name == name }) {
		return nil, fault.Corrupt("its documents are not %v", documentNames)
	}
	return &m, nil
}

// errOtherAbout: see otherAbout.
var errOtherAbout = fault.Corrupt("title, licence, creator or date are not those in %s", manifestName)

// otherAbout reports whether what plan.json says beside the plan, which no hash guards,
// was changed after the manifest was written.
func (m *manifest) otherAbout(h *header) bool {
	return m.About != h.about && m.Documents[0] != sumDocument(planName, h.encode())
}

// allCommitted reports whether all shards that the manifest tells of are committed.
func (m *manifest) allCommitted(commits []*Commit) error {
	there := map[int]bool{}
	for _, c := range commits {
		there[c.Shard] = true
	}
	for _, s := range m.Files {
		if !there[s.Shard] {
			return fault.Corrupt("shard %05d is not committed, but was", s.Shard)
		}
	}
	return nil
}

// agrees reports whether two manifests are of the same state. Their documents may be
// worded by different programs.
func (m *manifest) agrees(other *manifest) bool {
	a, b := *m, *other
	a.Documents, b.Documents = nil, nil
	return string(a.encode()) == string(b.encode())
}

// sizeCategory is the hub's name for how many rows there are.
func sizeCategory(rows uint64) string {
	names := []string{"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M",
		"100M<n<1B", "1B<n<10B", "10B<n<100B", "100B<n<1T"}
	for limit, i := uint64(1000), 0; i < len(names); limit, i = limit*10, i+1 {
		if rows < limit {
			return names[i]
		}
	}
	return "n>1T"
}

// count writes a number with thousands separated, for people.
func count(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// size writes bytes for people.
func size(n int64) string {
	const unit = 1000
	v, names := float64(n), []string{"B", "kB", "MB", "GB", "TB"}
	i := 0
	for ; v >= unit && i < len(names)-1; i++ {
		v /= unit
	}
	return fmt.Sprintf("%.*f %s", min(i, 1), v, names[i])
}
