package program

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseConfig parses a YAML mapping of names to scalars, in the order of the file.
func parseConfig(data []byte) ([]setting, error) {
	root, err := parseDocument(data)
	if err != nil || root == nil {
		return nil, err
	}
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: want names and values, one per line", root.Line)
	}
	var list []setting
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if beginsWithTag(data, key) || beginsWithTag(data, value) {
			return nil, fmt.Errorf("line %d: %s: %s", key.Line, key.Value, inQuotes)
		}
		if key.Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
			return nil, fmt.Errorf("line %d: %s: want one plain value", key.Line, key.Value)
		}
		if slices.ContainsFunc(list, func(s setting) bool { return s.flag == key.Value }) {
			return nil, fmt.Errorf("line %d: %s is set twice", key.Line, key.Value)
		}
		list = append(list, setting{key.Value, value.Value, key.Line})
	}
	return list, nil
}

// inQuotes says what to do about a value that YAML takes for a tag.
const inQuotes = "want a value that begins with ! in quotes, such as where: '!limit'"

// unquoted finds values that begin with an exclamation mark, and no standard tag.
var unquoted = regexp.MustCompile(`:[ \t]+!($|[^!])`)

// beginsWithTag reports whether a node has a tag other than the standard ones. Package yaml drops that
// of "! limit", so the text decides, too.
func beginsWithTag(data []byte, n *yaml.Node) bool {
	text, lines := "", strings.Split(string(data), "\n")
	if n.Line <= len(lines) { // YAML has other ends of lines, too
		line := []rune(lines[n.Line-1])
		text = string(line[min(n.Column-1, len(line)):])
	}
	isTag := func(text string) bool { return strings.HasPrefix(text, "!") && !strings.HasPrefix(text, "!!") }
	return isTag(text) || isTag(n.Tag)
}

// parseDocument returns the root of the only document, nil if the file is empty.
func parseDocument(data []byte) (*yaml.Node, error) {
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil // empty, or comments only
	} else if err != nil && unquoted.Match(data) {
		return nil, fmt.Errorf("%w: %s", err, inQuotes)
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("want one document")
	}
	return document.Content[0], nil
}
