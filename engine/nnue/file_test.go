package nnue_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nnuetest"
)

// small describes a small network.
func small() nnuetest.Network {
	return nnuetest.Network{Game: "contrast", Features: contrastFeatures(), Hidden: 16, Buckets: 2, Seed: 1, Scale: 100}
}

func contrastFeatures() *engine.FeatureSet {
	g := contrast.Game()
	return g.New("").(engine.Featured).FeatureSet()
}

// read reads a file as a network of contrast.
func read(data []byte) (*nnue.Network, error) {
	f, err := nnue.ReadFile(data)
	if err != nil {
		return nil, err
	}
	return f.Network("contrast", contrastFeatures())
}

func TestReadFile(t *testing.T) {
	n, err := read(small().File())
	if err != nil || n.Hidden() != 16 || n.Buckets() != 2 || n.Scale() != 100 || n.Metadata()["game"] != "contrast" {
		t.Errorf("network %+v, error %v", n, err)
	}
	padded := bytes.Replace(small().File(), []byte("}}"), []byte("}} "), 1)
	binary.LittleEndian.PutUint64(padded, binary.LittleEndian.Uint64(padded)+1)
	if _, err := read(padded); err != nil {
		t.Errorf("a header that ends with a space: %v", err)
	}
}

// TestReadFileRefusesContainers: a container that is not exactly one file is refused.
func TestReadFileRefusesContainers(t *testing.T) {
	valid := small().File()
	const entry = `"dtype":"I16","shape":[2],"data_offsets":`
	header := func(text string, data int) []byte { return nnuetest.WriteHeader([]byte(text), make([]byte, data)) }
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":                {nil, "0 bytes are no safetensors file"},
		"short":                {valid[:7], "7 bytes are no safetensors file"},
		"text":                 {[]byte("this is a text file and no network"), "this is no safetensors file"},
		"truncated header":     {valid[:100], "or it is truncated"},
		"truncated data":       {valid[:len(valid)-1], "the file is truncated"},
		"trailing byte":        {append(slices.Clone(valid), 0), "1 bytes after the last tensor"},
		"no object":            {header(`[]`, 0), "no JSON object"},
		"no JSON":              {header(`{"a":`, 0), "header: "},
		"two objects":          {header(`{}{}`, 0), "text after the JSON object"},
		"brace after header":   {header(`{}}`, 0), "text after the JSON object"},
		"bracket after header": {header(`{} ] garbage`, 0), "text after the JSON object"},
		"no UTF-8":             {header("{\"\xff\":1}", 0), "no valid UTF-8"},
		"metadata of numbers":  {header(`{"__metadata__":{"a":1}}`, 0), `"a" is no string`},
		"null metadata":        {header(`{"__metadata__":null}`, 0), "__metadata__: no JSON object"},
		"many tensors":         {header(manyTensors(), 0), "more than 256 members: a network has few tensors"},
		"tensor twice":         {header(`{"a":{`+entry+`[0,4]},"a":{`+entry+`[4,8]}}`, 8), `"a" is given twice`},
		"member twice":         {header(`{"a":{"shape":[2],`+entry+`[0,4]}}`, 4), `"shape" is given twice`},
		"unknown member":       {header(`{"a":{"x":1,`+entry+`[0,4]}}`, 4), `unknown member "x"`},
		"member missing":       {header(`{"a":{"dtype":"I16","shape":[2]}}`, 4), "want dtype, shape and two data_offsets"},
		"unknown type":         {header(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 4), `type "F32": want I8, I16 or I32`},
		"other size":           {header(`{"a":{`+entry+`[0,6]}}`, 6), "want 4 bytes for shape [2]"},
		"negative offset":      {header(`{"a":{`+entry+`[-4,0]}}`, 0), "bytes -4 to 0"},
		"fraction":             {header(`{"a":{`+entry+`[0,4.5]}}`, 4), "header: tensor"},
		"huge shape":           {header(`{"a":{"dtype":"I16","shape":[2147483647,2147483647],"data_offsets":[0,0]}}`, 0), "want a tensor of 1 to"},
		"empty tensor":         {header(`{"a":{"dtype":"I16","shape":[0],"data_offsets":[0,0]}}`, 0), "want a tensor of 1 to"},
		"gap":                  {header(`{"a":{`+entry+`[0,4]},"b":{`+entry+`[6,10]}}`, 10), `tensor "b" begins at byte 6: want 4`},
		"overlap":              {header(`{"a":{`+entry+`[0,4]},"b":{`+entry+`[2,6]}}`, 6), `tensor "b" begins at byte 2: want 4`},
		"gap at the beginning": {header(`{"a":{`+entry+`[2,6]}}`, 6), "begins at byte 2: want 0"},
		"no metadata":          {header(`{}`, 0), "metadata format is missing"},
		"too large":            {make([]byte, nnue.MaxFile+1), "want at most 67108864"},
	} {
		if _, err := read(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// manyTensors returns a header whose names took minutes to compare with each other.
func manyTensors() string {
	b := []byte("{")
	for i := range 90_000 {
		b = fmt.Appendf(b, "%q:{},", strconv.Itoa(i))
	}
	return string(b) + `"":{}}`
}

// TestReadFileRefusesNetworks: a network of another kind, or one whose sums may overflow, is
// refused.
func TestReadFileRefusesNetworks(t *testing.T) {
	set16 := func(t *nnuetest.Tensor, i, v int) { binary.LittleEndian.PutUint16(t.Data[2*i:], uint16(v)) }
	checkRefusals(t, small(), map[string]refusal{
		"other format":     {func(p *parts) { p.metadata["format"] = "pt" }, `metadata format is "pt": want "selfplay-nnue"`},
		"newer version":    {func(p *parts) { p.metadata["version"] = "2" }, `metadata version is "2": want "1"`},
		"other activation": {func(p *parts) { p.metadata["activation"] = "relu" }, `metadata activation is "relu"`},
		"other scale":      {func(p *parts) { p.metadata["qa"] = "127" }, `metadata qa is "127": want "255"`},
		"other game":       {func(p *parts) { p.metadata["game"] = "chess" }, `metadata game is "chess": want "contrast"`},
		"other features":   {func(p *parts) { p.metadata["features"] = "x" }, `metadata features is "x"`},
		"newer features":   {func(p *parts) { p.metadata["features_version"] = "2" }, `metadata features_version is "2": want "1"`},
		"no scale":         {func(p *parts) { delete(p.metadata, "scale") }, `metadata scale is "": want 1 to 20000`},
		"other base":       {func(p *parts) { p.metadata["base"] = "material" }, `metadata base is "material": want "static", or none`},
		"no base":          {func(p *parts) { p.metadata["base"] = "" }, `metadata base is "": want "static", or none`},
		"scale 0":          {func(p *parts) { p.metadata["scale"] = "0" }, `metadata scale is "0"`},
		"tensor missing":   {func(p *parts) { p.tensors = p.tensors[:3] }, "tensor output_weights is missing"},
		"tensor too many": {func(p *parts) {
			p.tensors = append(p.tensors, nnuetest.Tensor{Name: "x", Type: "I16", Shape: []int{1}, Data: []byte{0, 0}})
		}, "5 tensors: want 4"},
		"other type": {func(p *parts) { p.tensors[2].Type, p.tensors[2].Shape = "I16", []int{4} }, "tensor output_bias is I16 [4]: want I32 [4]"},
		"other rows": {func(p *parts) { p.tensors[1].Shape, p.tensors[1].Data = []int{211, 16}, p.tensors[1].Data[:211*32] }, "tensor feature_weights is I16 [211 16]: want I16 [212 16]"},
		"transposed": {func(p *parts) { p.tensors[3].Shape = []int{2, 16, 2} }, "tensor output_weights is I16 [2 16 2]: want I16 [2 2 16]"},
		"width 8":    {func(p *parts) { p.tensors[0].Shape, p.tensors[0].Data = []int{8}, p.tensors[0].Data[:16] }, "feature_bias has 8 values: want a multiple of 16"},
		"large bias": {func(p *parts) { set16(&p.tensors[0], 3, -32768) }, "accumulator 3 overflows"},
		"large weights": {func(p *parts) {
			for f := range 22 {
				set16(&p.tensors[1], 16*f*5+7, 1500)
			}
		}, "accumulator 7 overflows: bias and the 22 largest weights add up to 3"},
		"output weight": {func(p *parts) { set16(&p.tensors[3], 5, -128) }, "output weight 5 is -128: want -127 to 127"},
		"output bias":   {func(p *parts) { binary.LittleEndian.PutUint32(p.tensors[2].Data, 1<<30) }, "output bias 0 is 1073741824"},
	})
}

// parts are the parts of a file. The tensors are feature_bias, feature_weights, output_bias and
// output_weights, and with a policy head policy_bias and policy_weights.
type parts struct {
	metadata map[string]string
	tensors  []nnuetest.Tensor
}

// refusal is a change of a file, and what the error of the changed file says.
type refusal struct {
	change func(*parts)
	want   string
}

// checkRefusals changes the file of a network in each way.
func checkRefusals(t *testing.T, d nnuetest.Network, refusals map[string]refusal) {
	t.Helper()
	for name, c := range refusals {
		p := parts{maps.Clone(d.Metadata()), d.Tensors()}
		c.change(&p)
		if _, err := read(nnuetest.Write(p.metadata, p.tensors)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// TestLargestSumsFit: 22 weights of which the sum is just small enough are accepted.
func TestLargestSumsFit(t *testing.T) {
	tensors := small().Tensors()
	clear(tensors[0].Data)
	clear(tensors[1].Data)
	for f := range 22 {
		binary.LittleEndian.PutUint16(tensors[1].Data[32*f:], 32767/22)
	}
	if _, err := read(nnuetest.Write(small().Metadata(), tensors)); err != nil {
		t.Error(err)
	}
}

// FuzzReadFile: no input makes the reader panic, and what it accepts has scores.
func FuzzReadFile(f *testing.F) {
	f.Add(small().File())
	f.Add(small().File()[:200])
	f.Add(nnuetest.WriteHeader([]byte(`{"__metadata__":{"format":"selfplay-nnue"},"a":{"dtype":"I16","shape":[2],"data_offsets":[0,4]}}`), make([]byte, 4)))
	tensors := small().Tensors()
	slices.Reverse(tensors)
	f.Add(nnuetest.Write(small().Metadata(), tensors))
	policy := small()
	policy.Policy = true
	f.Add(policy.File())
	g := contrast.Game()
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := read(data)
		if err != nil {
			return
		}
		p := g.New("").(engine.Featured)
		s := nnue.NewScorer(n, 0)
		s.Begin(p)
		if score := s.Score(); score < -engine.MaxStatic || score > engine.MaxStatic {
			t.Errorf("score %d", score)
		}
		if !n.HasPolicy() {
			return
		}
		for _, l := range s.AppendLogits(nil, p.Moves(nil)) {
			if l < -engine.MaxStatic || l > engine.MaxStatic {
				t.Errorf("logit %d", l)
			}
		}
	})
}
