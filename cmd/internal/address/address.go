// Package address reads the addresses that flags name, and ends the servers that listen at them.
//
//	address.go   the host and the port of an address
//	shutdown.go  the end of a server
package address

import (
	"errors"
	"net"
	"strconv"
	"strings"
)

// Loopback is the host of an address without one.
const Loopback = "127.0.0.1"

// errForm: a text is no address.
var errForm = errors.New("want HOST:PORT or :PORT")

// Split returns the host of an address, which may be empty, and its port, a number from 0, any
// free one, to 65535.
func Split(text string) (host, port string, err error) {
	host, port, err = net.SplitHostPort(text)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || strings.ContainsAny(host, `/\ `) {
		return "", "", errForm
	}
	return host, port, nil
}
