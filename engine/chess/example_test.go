package chess_test

import (
	"fmt"

	"selfplay/engine/chess"
)

// Set up a position, list its legal moves, play one, and take it back.
func Example() {
	p := chess.New()
	if err := p.Set("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1"); err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range p.Moves(nil) {
		fmt.Printf("%s %s\n", p.FormatMove(m), p.SAN(m))
	}

	m, err := p.ParseMove("e4d3")
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Do(m)
	fmt.Println("after Do:  ", p)
	p.Undo()
	fmt.Println("after Undo:", p)

	// Output:
	// e4d3 exd3
	// c5b6 Kb6
	// c5c6 Kc6
	// c5d6 Kd6
	// c5b5 Kb5
	// c5d5 Kd5
	// c5b4 Kb4
	// c5c4 Kc4
	// c5d4 Kxd4
	// after Do:   8/8/8/2k5/8/3p4/8/4K3 w - - 0 2
	// after Undo: 8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1
}
