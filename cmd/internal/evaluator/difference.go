package evaluator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Difference says in what the manifests and batches of two evaluators differ, "" if in nothing.
func Difference(a, b Welcome) string {
	var list []string
	if a.Batch != b.Batch {
		list = append(list, fmt.Sprintf("batch %d and %d", a.Batch, b.Batch))
	}
	list = append(list, manifestDifferences(a.Manifest, b.Manifest)...)
	return strings.Join(list, ", ")
}

// manifestDifferences lists the members in which two manifests differ. Those of other libraries need not be JSON.
func manifestDifferences(a, b string) (list []string) {
	var x, y map[string]json.RawMessage
	if a == b {
		return nil
	}
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return []string{"manifests"}
	}
	all := maps.Clone(x)
	maps.Copy(all, y)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		switch {
		case bytes.Equal(x[name], y[name]), name == "batch": // said already
		case name == "model":
			list = append(list, "the program or the files of the model")
		default:
			list = append(list, plain(fmt.Sprintf("%s %s and %s", name, orNone(x[name]), orNone(y[name]))))
		}
	}
	return list
}

func orNone(value json.RawMessage) string {
	if value == nil {
		return "none"
	}
	return string(value)
}

// manifestBatch matches the batch in a manifest.
var manifestBatch = regexp.MustCompile(`("batch": ?)\d+`)

// BatchOf returns the batch with which a manifest has a hash, 0 if none has. A plan has only the hash.
func (w Welcome) BatchOf(hash string) int {
	if len(manifestBatch.FindAllString(w.Manifest, 2)) != 1 {
		return 0
	}
	for batch := 1; batch <= MaxBatch; batch++ {
		other := Welcome{Manifest: manifestBatch.ReplaceAllString(w.Manifest, fmt.Sprintf("${1}%d", batch))}
		if other.ManifestHash() == hash {
			return batch
		}
	}
	return 0
}
