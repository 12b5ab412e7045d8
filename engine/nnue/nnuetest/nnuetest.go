// Package nnuetest makes network files for tests: valid ones with random weights, and files
// with chosen headers and data.
package nnuetest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"

	"selfplay/engine"
)

// Tensor is a tensor of a file.
type Tensor struct {
	Name, Type string
	Shape      []int
	Data       []byte
}

// Network describes the network of a file.
type Network struct {
	Game     string
	Features *engine.FeatureSet
	Hidden   int
	Buckets  int
	Seed     uint64
	Scale    int
	Name     string // metadata name, if not empty
	Base     string // metadata base, if not empty
	Policy   bool   // with a policy head
}

// File returns a file with small random weights, such that about half of the accumulators of
// a position are above 0.
func (n Network) File() []byte { return Write(n.Metadata(), n.Tensors()) }

// Metadata returns the metadata of the file.
func (n Network) Metadata() map[string]string {
	m := map[string]string{
		"format": "selfplay-nnue", "version": "1", "game": n.Game,
		"features": n.Features.Name, "features_version": strconv.Itoa(n.Features.Version),
		"activation": "screlu", "qa": "255", "qb": "64", "scale": strconv.Itoa(max(n.Scale, 1)),
	}
	if n.Name != "" {
		m["name"] = n.Name
	}
	if n.Base != "" {
		m["base"] = n.Base
	}
	if n.Policy {
		m["policy"], m["policy_version"] = n.Features.Policy.Name, strconv.Itoa(n.Features.Policy.Version)
	}
	return m
}

// Tensors returns the tensors of the file.
func (n Network) Tensors() []Tensor {
	src := rand.New(rand.NewPCG(n.Seed, 1))
	list := []Tensor{
		{"feature_bias", "I16", []int{n.Hidden}, int16s(src, n.Hidden, 60)},
		{"feature_weights", "I16", []int{n.Features.Size, n.Hidden}, int16s(src, n.Features.Size*n.Hidden, 60)},
		{"output_bias", "I32", []int{n.Buckets}, int32s(src, n.Buckets, 4000)},
		{"output_weights", "I16", []int{n.Buckets, 2, n.Hidden}, int16s(src, n.Buckets*2*n.Hidden, 40)},
	}
	if !n.Policy {
		return list
	}
	parts := n.Features.Policy.Size
	return append(list, Tensor{"policy_bias", "I32", []int{parts}, int32s(src, parts, 4000)},
		Tensor{"policy_weights", "I8", []int{parts, 2, n.Hidden}, int8s(src, parts*2*n.Hidden, 127)})
}

// int8s returns n random numbers from -limit to limit.
func int8s(src *rand.Rand, n, limit int) (data []byte) {
	for range n {
		data = append(data, byte(src.IntN(2*limit+1)-limit))
	}
	return data
}

// int16s returns n random numbers from -limit to limit, little-endian.
func int16s(src *rand.Rand, n, limit int) (data []byte) {
	for range n {
		data = binary.LittleEndian.AppendUint16(data, uint16(src.IntN(2*limit+1)-limit))
	}
	return data
}

func int32s(src *rand.Rand, n, limit int) (data []byte) {
	for range n {
		data = binary.LittleEndian.AppendUint32(data, uint32(src.IntN(2*limit+1)-limit))
	}
	return data
}

// Write returns a safetensors file of some tensors, in their order.
func Write(metadata map[string]string, tensors []Tensor) []byte {
	header, data := map[string]any{"__metadata__": metadata}, []byte(nil)
	for _, t := range tensors {
		header[t.Name] = map[string]any{"dtype": t.Type, "shape": t.Shape, "data_offsets": [2]int{len(data), len(data) + len(t.Data)}}
		data = append(data, t.Data...)
	}
	text, err := json.Marshal(header)
	if err != nil {
		panic(fmt.Sprintf("nnuetest: %v", err))
	}
	return WriteHeader(text, data)
}

// WriteHeader returns a file of a header and data.
func WriteHeader(header, data []byte) []byte {
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(file, header...), data...)
}

// Values returns the numbers of a tensor.
func (t Tensor) Values() (list []int) {
	for data := t.Data; len(data) > 0; {
		switch t.Type {
		case "I8":
			list, data = append(list, int(int8(data[0]))), data[1:]
			continue
		case "I16":
			list, data = append(list, int(int16(binary.LittleEndian.Uint16(data)))), data[2:]
			continue
		}
		list, data = append(list, int(int32(binary.LittleEndian.Uint32(data)))), data[4:]
	}
	return list
}
