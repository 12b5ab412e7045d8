// Command othello is selfplay with one more game and one more player: Othello, and a player of
// it that counts discs. It shows how a module of its own adds both. It has every command:
//
//	go run . run --game othello --preset bulk --games 1000 --out data/othello
//	go run . verify --deep data/othello
//	go run . serve data
package main

import (
	"example.com/othello/othello"
	"selfplay/cmd/program"
	"selfplay/encode"
	"selfplay/workers"
)

func main() {
	program.Main(
		append(encode.Games(), othello.Entry()),
		append(workers.PlayerTypes(), othello.Flipper()),
	)
}
