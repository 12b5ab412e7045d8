package uci

import (
	"math"
	"strconv"
	"strings"

	"selfplay/engine/chess"
)

// command obeys a line. It skips unknown words in front of a command, as the protocol wants.
func (s *session) command(line string) {
	words := strings.Fields(line)
	for i, word := range words {
		if f, ok := commands[word]; ok {
			f(s, words[i+1:])
			return
		}
	}
	if len(words) > 0 {
		s.inform("unknown command %q", words[0])
	}
}

// commands are the commands of a GUI with their arguments. All but isready, stop, ponderhit
// and quit wait for a search in progress: its result belongs to the GUI, which sends stop first
// if it does not want to wait.
var commands = map[string]func(s *session, args []string){
	"uci":        func(s *session, _ []string) { s.introduce() },
	"isready":    func(s *session, _ []string) { s.printf("readyok") },
	"debug":      func(*session, []string) {},
	"register":   func(*session, []string) {},
	"setoption":  func(s *session, args []string) { s.finish(); s.setOption(args) },
	"ucinewgame": func(s *session, _ []string) { s.finish(); s.games++; s.reseed(); s.beginGame() },
	"position":   func(s *session, args []string) { s.finish(); s.setPosition(args) },
	"go":         func(s *session, args []string) { s.finish(); s.search(args) },
	"stop":       func(s *session, _ []string) { s.abort() },
	"ponderhit":  func(s *session, _ []string) { s.release() },
	"quit":       func(s *session, _ []string) { s.quit = true },
}

// maxSeed is the largest seed that GUIs can set: their numbers have 32 bits.
const maxSeed = math.MaxInt32

func (s *session) introduce() {
	s.printf("id name %s", s.Name)
	s.printf("id author the authors of selfplay")
	s.printf("option name Player type string default %s", s.Player)
	s.printf("option name Seed type spin default %d min 0 max %d", s.Seed, maxSeed)
	s.printf("option name %s type check default false", chess960Option)
	s.printf("uciok")
}

// setOption obeys "name NAME value VALUE".
func (s *session) setOption(args []string) {
	name, value, _ := strings.Cut(strings.Join(args, " "), " value ")
	name = strings.TrimPrefix(name, "name ")
	switch strings.ToLower(name) {
	case "player":
		spec, err := s.Players.Parse(&s.Game.Game, value, s.Networks)
		if err == nil && s.Fits != nil {
			err = s.Fits(spec)
		}
		if err != nil {
			s.inform("%v", err)
			return
		}
		s.Player = spec.String()
	case "seed":
		seed, err := strconv.ParseUint(value, 10, 31)
		if err != nil {
			s.inform("seed %q: want 0 to %d", value, maxSeed)
			return
		}
		s.Seed = seed
	case strings.ToLower(chess960Option):
		variant := ""
		if value == "true" {
			variant = chess.Chess960
		}
		s.pos, s.valid = s.Game.New(variant), true
		return
	default:
		s.inform("unknown option %q: the options are Player, Seed and %s", name, chess960Option)
		return
	}
	s.reseed()
}

// setPosition obeys "startpos|fen FEN [moves MOVE...]". After an error the position is
// invalid until the next command position.
func (s *session) setPosition(args []string) {
	start, moves, _ := strings.Cut(strings.Join(args, " "), "moves")
	s.valid = false
	kind, fen, _ := strings.Cut(strings.TrimSpace(start), " ")
	switch kind {
	case "startpos":
		s.pos.Reset()
	case "fen":
		if err := s.pos.Set(strings.TrimSpace(fen)); err != nil {
			s.inform("position %q: %v", fen, err)
			return
		}
	default:
		s.inform("position %q: want startpos or fen", kind)
		return
	}
	for _, text := range strings.Fields(moves) {
		m, err := s.pos.ParseMove(text)
		if err != nil {
			s.inform("move %q: %v", text, err)
			return
		}
		s.pos.Do(m)
	}
	s.valid = true
}
