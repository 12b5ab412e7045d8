package nnue

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"selfplay/engine"
)

// MaxFile is the largest size of a network file in bytes.
const MaxFile = 64 << 20

// Metadata is what a network file says about the network. These names have a meaning here:
//
//	format            "selfplay-nnue"
//	version           "1"
//	game              name of the game
//	features          name of its feature set
//	features_version  version of the set
//	activation        "screlu"
//	qa, qb            "255", "64"
//	scale             centi-units of an output of 1
//	base              "static": the network corrects the hand-written score, which is added;
//	                  or absent
//	policy            name of the set of parts of moves, in a file with a policy head; or absent
//	policy_version    version of that set
//
// Trainers add others, as name, curve, generation, data and validation.
type Metadata map[string]string

// required are the values that every file of version 1 has.
var required = []struct{ name, value string }{
	{"format", "selfplay-nnue"},
	{"version", "1"},
	{"activation", "screlu"},
	{"qa", strconv.Itoa(QA)},
	{"qb", strconv.Itoa(QB)},
}

// baseStatic is the value of base in the metadata.
const baseStatic = "static"

// File is a network file whose container and metadata are valid.
type File struct {
	Metadata Metadata
	Sum      [32]byte // SHA-256 of the file
	tensors  []tensor
}

// ReadFile reads a network file. Network makes the network of it.
func ReadFile(data []byte) (*File, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("read network: %d bytes: want at most %d", len(data), MaxFile)
	}
	c, err := readContainer(data)
	if err != nil {
		return nil, fmt.Errorf("read network: %w", err)
	}
	f := &File{Metadata: c.metadata, Sum: sha256.Sum256(data), tensors: c.tensors}
	for _, r := range required {
		if got, ok := f.Metadata[r.name]; got != r.value {
			if !ok {
				return nil, fmt.Errorf("read network: metadata %s is missing: want %q", r.name, r.value)
			}
			return nil, fmt.Errorf("read network: metadata %s is %q: want %q", r.name, got, r.value)
		}
	}
	return f, nil
}

// Game returns the name of the game that the network is for.
func (f *File) Game() string { return f.Metadata["game"] }

// Network returns the network for a game with some features. It returns an error if the
// network is for others, or if its sums could overflow.
func (f *File) Network(game string, set *engine.FeatureSet) (*Network, error) {
	n, err := f.network(game, set)
	if err != nil {
		return nil, fmt.Errorf("read network: %w", err)
	}
	return n, nil
}

func (f *File) network(game string, set *engine.FeatureSet) (*Network, error) {
	for _, m := range []struct{ name, want string }{
		{"game", game}, {"features", set.Name}, {"features_version", strconv.Itoa(set.Version)},
	} {
		if got := f.Metadata[m.name]; got != m.want {
			return nil, fmt.Errorf("metadata %s is %q: want %q", m.name, got, m.want)
		}
	}
	scale, err := strconv.Atoi(f.Metadata["scale"])
	if err != nil || scale < 1 || scale > MaxScale {
		return nil, fmt.Errorf("metadata scale is %q: want 1 to %d", f.Metadata["scale"], MaxScale)
	}
	base, based := f.Metadata["base"]
	if based && base != baseStatic {
		return nil, fmt.Errorf("metadata base is %q: want %q, or none", base, baseStatic)
	}
	w, hidden, err := f.weights(set.Size)
	if err != nil {
		return nil, err
	}
	if err := w.check(hidden, set.Most); err != nil {
		return nil, err
	}
	head, err := f.policy(set.Policy, hidden)
	if err != nil {
		return nil, err
	}
	n := newNetwork(*set, hidden, scale, w)
	n.metadata, n.sum, n.based, n.policy = f.Metadata, f.Sum, based, head
	return n, nil
}

// weights reads the four tensors that every file has.
func (f *File) weights(features int) (*weights, int, error) {
	shape := map[string][]int{}
	for _, t := range f.tensors {
		shape[t.name] = t.shape
	}
	hidden, buckets := lastOf(shape["feature_bias"]), lastOf(shape["output_bias"])
	if hidden < MinHidden || hidden > MaxHidden || hidden%MinHidden != 0 {
		return nil, 0, fmt.Errorf("tensor feature_bias has %d values: want a multiple of %d, at most %d", hidden, MinHidden, MaxHidden)
	}
	if buckets < 1 || buckets > MaxBuckets {
		return nil, 0, fmt.Errorf("tensor output_bias has %d values: want 1 to %d", buckets, MaxBuckets)
	}
	w := new(weights)
	for _, want := range []struct {
		name, dtype string
		shape       []int
		read        func(data []byte)
	}{
		{"feature_bias", "I16", []int{hidden}, func(data []byte) { w.featureBias = int16s(data) }},
		{"feature_weights", "I16", []int{features, hidden}, func(data []byte) { w.features = int16s(data) }},
		{"output_bias", "I32", []int{buckets}, func(data []byte) { w.outputBias = int32s(data) }},
		{"output_weights", "I16", []int{buckets, 2, hidden}, func(data []byte) { w.output = int16s(data) }},
	} {
		data, err := f.tensor(want.name, want.dtype, want.shape)
		if err != nil {
			return nil, 0, err
		}
		want.read(data)
	}
	if want := f.tensorCount(); len(f.tensors) != want {
		return nil, 0, fmt.Errorf("%d tensors: want %d", len(f.tensors), want)
	}
	return w, hidden, nil
}

// tensor returns the data of a tensor of a type and shape.
func (f *File) tensor(name, dtype string, shape []int) ([]byte, error) {
	i := slices.IndexFunc(f.tensors, func(t tensor) bool { return t.name == name })
	if i < 0 {
		return nil, fmt.Errorf("tensor %s is missing", name)
	}
	if t := &f.tensors[i]; t.dtype != dtype || !slices.Equal(t.shape, shape) {
		return nil, fmt.Errorf("tensor %s is %s %v: want %s %v", name, t.dtype, t.shape, dtype, shape)
	}
	return f.tensors[i].data, nil
}

// lastOf returns the last number of a shape, 0 without one.
func lastOf(shape []int) int {
	if len(shape) == 0 {
		return 0
	}
	return shape[len(shape)-1]
}

// check proves that no sum overflows. An accumulator holds its bias and the weights of at
// most `most` features, so it is bounded by the largest of them.
func (w *weights) check(hidden, most int) error {
	column := make([]int, len(w.features)/hidden)
	largest := w.largestByUnit(hidden)
	for i, bias := range w.featureBias {
		if magnitude(bias)+most*largest[i] <= 1<<15-1 {
			continue
		}
		for f := range column {
			column[f] = magnitude(w.features[f*hidden+i])
		}
		slices.SortFunc(column, func(a, b int) int { return cmp.Compare(b, a) })
		sum := magnitude(bias)
		for _, weight := range column[:min(most, len(column))] {
			sum += weight
		}
		if sum > 1<<15-1 {
			return fmt.Errorf("accumulator %d overflows: bias and the %d largest weights add up to %d, want at most %d", i, most, sum, 1<<15-1)
		}
	}
	for i, weight := range w.output {
		if magnitude(weight) > maxOutputWeight {
			return fmt.Errorf("output weight %d is %d: want -%d to %d", i, weight, maxOutputWeight, maxOutputWeight)
		}
	}
	return checkBias("output", w.outputBias)
}

// checkBias returns an error if a bias of a layer is too large.
func checkBias(layer string, list []int32) error {
	for i, bias := range list {
		if bias <= -maxOutputBias || bias >= maxOutputBias {
			return fmt.Errorf("%s bias %d is %d: want less than 2^30 in magnitude", layer, i, bias)
		}
	}
	return nil
}

// largestByUnit returns the largest magnitude of a weight by accumulator.
func (w *weights) largestByUnit(hidden int) []int {
	largest := make([]int, hidden)
	for row := w.features; len(row) > 0; row = row[hidden:] {
		for i, weight := range row[:hidden] {
			largest[i] = max(largest[i], magnitude(weight))
		}
	}
	return largest
}

func magnitude(w int16) int { return max(int(w), -int(w)) }

func int16s(data []byte) []int16 {
	list := make([]int16, len(data)/2)
	for i := range list {
		list[i] = int16(binary.LittleEndian.Uint16(data[2*i:]))
	}
	return list
}

func int32s(data []byte) []int32 {
	list := make([]int32, len(data)/4)
	for i := range list {
		list[i] = int32(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return list
}

// FormatSum returns the identity of a network file in players' names: sha256: and 64
// hexadecimal digits.
func FormatSum(sum [32]byte) string { return "sha256:" + hex.EncodeToString(sum[:]) }

// The container of a network file is safetensors: the length of a header as a little-endian
// uint64, the header, which is a JSON object, and the tensors. The header maps each name to
// type, shape and place of a tensor, and __metadata__ to an object of strings. The format is
// described at github.com/huggingface/safetensors. This reader is strict: the tensors must
// fill the file without gaps, and no name may be given twice.

// maxHeader is the largest length of a header.
const maxHeader = 1 << 20

// maxMembers is the largest number of members of an object in the header: a network has few
// tensors, and names are compared with each other.
const maxMembers = 256

// container is a file taken apart.
type container struct {
	metadata map[string]string
	tensors  []tensor
}

// tensor is one tensor of a container. Its data are shared with the file.
type tensor struct {
	name, dtype string
	shape       []int
	begin, end  int // in the data after the header
	data        []byte
}

// dtypes holds the bytes per value of the types of tensors that networks have.
var dtypes = map[string]int{"I8": 1, "I16": 2, "I32": 4}

// readContainer takes a file apart.
func readContainer(file []byte) (*container, error) {
	if len(file) < 8 {
		return nil, fmt.Errorf("%d bytes are no safetensors file", len(file))
	}
	length, rest := binary.LittleEndian.Uint64(file), file[8:]
	if length > maxHeader || length > uint64(len(rest)) {
		return nil, fmt.Errorf("header of %d bytes: want at most %d; this is no safetensors file, or it is truncated", length, min(maxHeader, len(rest)))
	}
	c := new(container)
	if err := c.readHeader(rest[:length]); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	return c, c.place(rest[length:])
}

// readHeader reads the metadata and the descriptions of the tensors.
func (c *container) readHeader(header []byte) error {
	if !utf8.Valid(header) {
		return errors.New("no valid UTF-8")
	}
	list, err := members(header)
	if err != nil {
		return err
	}
	for _, m := range list {
		if m.name == "__metadata__" {
			c.metadata, err = readStrings(m.value)
			if err != nil {
				return fmt.Errorf("__metadata__: %w", err)
			}
			continue
		}
		t := tensor{name: m.name}
		if err := t.read(m.value); err != nil {
			return fmt.Errorf("tensor %q: %w", m.name, err)
		}
		c.tensors = append(c.tensors, t)
	}
	return nil
}

// read reads the description of a tensor.
func (t *tensor) read(text json.RawMessage) error {
	list, err := members(text)
	if err != nil {
		return err
	}
	var place []int
	for _, m := range list {
		switch m.name {
		case "dtype":
			err = json.Unmarshal(m.value, &t.dtype)
		case "shape":
			err = json.Unmarshal(m.value, &t.shape)
		case "data_offsets":
			err = json.Unmarshal(m.value, &place)
		default:
			err = fmt.Errorf("unknown member %q", m.name)
		}
		if err != nil {
			return err
		}
	}
	if len(list) != 3 || len(place) != 2 {
		return errors.New("want dtype, shape and two data_offsets")
	}
	t.begin, t.end = place[0], place[1]
	return t.check()
}

// check compares type and shape with the number of bytes.
func (t *tensor) check() error {
	size, ok := dtypes[t.dtype]
	if !ok {
		return fmt.Errorf("type %q: want I8, I16 or I32", t.dtype)
	}
	for _, n := range t.shape {
		if n < 1 || n > MaxFile/size {
			return fmt.Errorf("shape %v: want a tensor of 1 to %d bytes", t.shape, MaxFile)
		}
		size *= n
	}
	if t.begin < 0 || t.end < t.begin || t.end-t.begin != size {
		return fmt.Errorf("bytes %d to %d: want %d bytes for shape %v", t.begin, t.end, size, t.shape)
	}
	return nil
}

// place gives the tensors their data, which they fill without gaps.
func (c *container) place(data []byte) error {
	slices.SortFunc(c.tensors, func(a, b tensor) int { return a.begin - b.begin })
	end := 0
	for i := range c.tensors {
		t := &c.tensors[i]
		if t.begin != end {
			return fmt.Errorf("tensor %q begins at byte %d: want %d, without gaps and overlaps", t.name, t.begin, end)
		}
		if t.end > len(data) {
			return fmt.Errorf("tensor %q ends at byte %d of %d: the file is truncated", t.name, t.end, len(data))
		}
		t.data, end = data[t.begin:t.end], t.end
	}
	if end != len(data) {
		return fmt.Errorf("%d bytes after the last tensor", len(data)-end)
	}
	return nil
}

// member is a member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// members returns the members of an object in their order. A name given twice is an error.
func members(text []byte) (list []member, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.Join(errors.New("no JSON object"), err)
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		if len(list) == maxMembers {
			return nil, fmt.Errorf("more than %d members: a network has few tensors", maxMembers)
		}
		m := member{name: t.(string)}
		if slices.ContainsFunc(list, func(o member) bool { return o.name == m.name }) {
			return nil, fmt.Errorf("%q is given twice", m.name)
		}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF { // not More: it takes a closing bracket for the end
		return nil, errors.New("text after the JSON object")
	}
	return list, nil
}

// readStrings reads an object of strings.
func readStrings(text []byte) (map[string]string, error) {
	list, err := members(text)
	strings := map[string]string{}
	for _, m := range list {
		var s *string
		if err := json.Unmarshal(m.value, &s); err != nil || s == nil {
			return nil, fmt.Errorf("%q is no string", m.name)
		}
		strings[m.name] = *s
	}
	return strings, err
}
