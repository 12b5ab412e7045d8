package nnue

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

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
			if c.metadata, err = readStrings(m.value); err != nil {
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
