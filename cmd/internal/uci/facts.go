package uci

import (
	"fmt"
	"strings"

	"selfplay/workers"
)

// Facts describes engines for help and scripts, as if they were a type of players.
func Facts() workers.PlayerTypeFacts {
	return workers.PlayerTypeFacts{
		Name: strings.TrimSuffix(workers.ExternalPrefix, ":"), Version: workers.ExternalVersion, Usage: Usage,
		Doc: "a UCI engine, in run, match and rescore",
		Params: []workers.ParamFacts{
			{Name: "path", Doc: "the program, by its path or by its name in PATH"},
			{Name: "name", Doc: "its name in plans, which --evaluator NAME=COMMAND refers to; by default what it calls itself"},
			{Name: "arg", Doc: "an argument of the program; may be repeated"},
			{Name: "nodes", Doc: "nodes of a search", Range: fmt.Sprintf("1 to %d", uint64(maxNodes))},
			{Name: "depth", Doc: "depth of a search; nodes, depth or both", Range: fmt.Sprintf("1 to %d", maxDepth)},
			{Name: "timeout", Default: fmt.Sprint(int(defaultTimeout.Seconds())), Doc: "seconds for every answer", Range: fmt.Sprintf("1 to %d", maxTimeout)},
			{Name: "option.NAME", Doc: "an option of the engine, such as option.Hash=1"},
		},
	}
}
