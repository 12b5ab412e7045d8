package main

import "strconv"

// sizeText writes a number of bytes for people: 1.5 MB.
func sizeText(bytes float64) string {
	for _, unit := range []string{"B", "kB", "MB", "GB"} {
		if bytes < 1000 {
			return strconv.FormatFloat(bytes, 'f', min(1, len(unit)-1), 64) + " " + unit
		}
		bytes /= 1000
	}
	return strconv.FormatFloat(bytes, 'f', 1, 64) + " TB"
}
