package plan

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Evaluator identifies a model of the user, which players name by eval=NAME, or a UCI engine, which they name by
// uci:name=NAME. The dataset does not hold it: its games are a function of the plan and of the model or engine.
// The fingerprint is a check that it is the same, not a proof.
type Evaluator struct {
	Name     string `json:"name"`
	Manifest string `json:"manifest"` // SHA-256 of a text that names model, layout, actions, batch and runtime; or engine and options
	// Fingerprint is the SHA-256 of the manifest's hash and of the answers to fixed positions; without the
	// answers if Approximate is set.
	Fingerprint string `json:"fingerprint"`
	// Approximate: the answer to a position depends on the others of its batch. Then the same plan need not
	// give the same bytes.
	Approximate bool `json:"approximate,omitempty"`
	// Engine is what a UCI engine calls itself, empty for a model.
	Engine string `json:"engine,omitempty"`
}

// Kind returns the word for the evaluator: model or engine.
func (e *Evaluator) Kind() string {
	if e.isModel() {
		return "model"
	}
	return "engine"
}

func (e *Evaluator) isModel() bool { return e.Engine == "" }

// MaxEngineName bounds the bytes of Evaluator.Engine.
const MaxEngineName = 100

// IsEvaluatorName reports whether a text may name an evaluator.
func IsEvaluatorName(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// isPlain reports whether a text can be printed on one line.
func isPlain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// maxEvaluators bounds the evaluators of a plan.
const maxEvaluators = 16

// checkEvaluators checks names and sums of evaluators: sorted by name, each once.
func checkEvaluators(list []Evaluator) error {
	if len(list) > maxEvaluators {
		return fmt.Errorf("check plan: %d evaluators: want at most %d", len(list), maxEvaluators)
	}
	for i, e := range list {
		if !IsEvaluatorName(e.Name) {
			return fmt.Errorf("check plan: evaluator %q: want a name of lower-case letters, digits and _", e.Name)
		}
		if len(e.Engine) > MaxEngineName || !isPlain(e.Engine) || e.Engine != "" && e.Approximate {
			return fmt.Errorf("check plan: engine %q: want at most %d bytes of printable text, of an engine that is not approximate", e.Engine, MaxEngineName)
		}
		if i > 0 && list[i-1].Name >= e.Name {
			return fmt.Errorf("check plan: evaluator %s: want them sorted by name, each once", e.Name)
		}
		for _, sum := range []string{e.Manifest, e.Fingerprint} {
			if len(sum) != 2*sha256.Size || strings.Trim(sum, "0123456789abcdef") != "" {
				return fmt.Errorf("check plan: evaluator %s: %q: want a SHA-256 in hexadecimal", e.Name, sum)
			}
		}
	}
	return nil
}
