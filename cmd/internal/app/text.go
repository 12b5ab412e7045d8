package app

import "strconv"

// Number writes a number for people, with commas between thousands: 12,000.
func Number[N ~int | ~int64 | ~uint64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	if n > 0 {
		s = strconv.FormatUint(uint64(n), 10)
	}
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count writes a number with its noun: 1 shard, 2 shards, 12,000 rows. The plural of the
// noun takes an s.
func Count[N ~int | ~int64 | ~uint64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Number(n) + " " + noun
}
