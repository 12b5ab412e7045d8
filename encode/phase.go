package encode

// Phases returns the names of the thirds of a game that was played.
func Phases() []string { return []string{"opening", "middle", "end"} }

// Phase returns the index in Phases of a decision, given the numbers of earlier and of remaining
// decisions, this one included. It returns one for any numbers: files may be damaged.
func Phase(ply, left uint16) int {
	before, plies := int(ply), int(ply)+int(left)
	return 3 * before / max(plies, before+1)
}
