package monitor

import (
	"fmt"
	"net"
	"strings"

	"selfplay/cmd/internal/address"
)

// FileSuffix ends the names of files that the textfile collector of the node exporter reads.
const FileSuffix = ".prom"

// Target is where metrics go: exactly one field is set.
type Target struct {
	Addr string // HOST:PORT to serve them at
	File string // a file that is replaced whole
}

// ParseTarget reads the value of --metrics: a file that ends in .prom, HOST:PORT, or :PORT
// of the loopback interface.
func ParseTarget(text string) (Target, error) {
	if strings.HasSuffix(text, FileSuffix) {
		return Target{File: text}, nil
	}
	host, port, err := address.Split(text)
	if err != nil {
		return Target{}, fmt.Errorf("%q: want an address such as 127.0.0.1:9100 or :9100, or a file that ends in %s", text, FileSuffix)
	}
	if host == "" {
		host = address.Loopback
	}
	return Target{Addr: net.JoinHostPort(host, port)}, nil
}
