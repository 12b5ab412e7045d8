package address

import (
	"context"
	"errors"
	"net/http"
	"time"
)

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
