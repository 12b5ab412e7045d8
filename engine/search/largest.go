package search

// vectorKeys is the number of keys of one vector: shorter lists have none.
const vectorKeys = 8

// largest returns the index of the first of the largest keys. There is at least one.
func largest(keys []int32) int {
	if hasVectors && len(keys) >= vectorKeys {
		return largestVectors(keys)
	}
	return largestPlain(keys)
}

func largestPlain(keys []int32) int {
	top, key := 0, keys[0]
	for i := 1; i < len(keys); i++ {
		if keys[i] > key {
			top, key = i, keys[i]
		}
	}
	return top
}
