package evaluator

import (
	"fmt"
	"os"
	"testing"

	"selfplay/cmd/internal/evaluator/evaluatortest"
)

// The test binary is an evaluator if this variable is set. Its value says how it misbehaves.
const childVariable = "SELFPLAY_TEST_CHILD"

func TestMain(m *testing.M) {
	if mode, ok := os.LookupEnv(childVariable); ok {
		if err := evaluatortest.Serve(mode, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
