// Package monitor publishes what a long command does to other programs: in a file that is
// replaced whole again and again, or as Prometheus metrics over HTTP. It knows nothing about
// datasets.
//
// The text format has about twenty lines of rules, so it is written here. The Prometheus
// client library would add seven modules for it.
//
//	text.go    Metric, and the Prometheus text format
//	file.go    File: a small file, replaced whole
//	server.go  Server: metrics over HTTP; Target, the value of --metrics
//
// Source of the format: https://prometheus.io/docs/instrumenting/exposition_formats/
package monitor

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Metric is one number of the Prometheus text format.
type Metric struct {
	Name   string // ends in _total if it only grows while the process lives: then it is a counter
	Help   string
	Labels []Label
	Value  float64
}

// Label is a label of a metric. Its value may be any text.
type Label struct{ Name, Value string }

// Text returns metrics in the Prometheus text format, each with its labels after the shared
// ones.
func Text(shared []Label, metrics []Metric) []byte {
	var b bytes.Buffer
	for _, m := range metrics {
		kind := "gauge"
		if strings.HasSuffix(m.Name, "_total") {
			kind = "counter"
		}
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n%s", m.Name, escapeHelp.Replace(m.Help), m.Name, kind, m.Name)
		writeLabels(&b, shared, m.Labels)
		fmt.Fprintf(&b, " %s\n", strconv.FormatFloat(m.Value, 'g', -1, 64))
	}
	return b.Bytes()
}

// Characters with a meaning in a help text and in the value of a label.
var (
	escapeHelp  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	escapeLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

func writeLabels(b *bytes.Buffer, lists ...[]Label) {
	separator, end := "{", ""
	for _, labels := range lists {
		for _, l := range labels {
			fmt.Fprintf(b, `%s%s="%s"`, separator, l.Name, escapeLabel.Replace(strings.ToValidUTF8(l.Value, "\uFFFD")))
			separator, end = ",", "}"
		}
	}
	b.WriteString(end)
}
