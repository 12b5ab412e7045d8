// Package address reads the addresses that flags name, and ends the servers that listen at them.
package address

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
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

// Shutdown ends a server: it frees the address at once and gives requests under way a time to end.
func Shutdown(s *http.Server, most time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	err := s.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.Close()
	}
	return err
}
