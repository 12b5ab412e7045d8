package s3store

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"syscall"
	"time"

	"github.com/minio/minio-go/v7"
)

// retryPolicy says how long requests are sent again. The first wait is shortest; each wait is twice
// the one before, up to the longest, and shortened by up to a half at random, so that the tasks
// of an array do not come back together.
type retryPolicy struct {
	shortest, longest time.Duration
	first             int           // attempts while the store has never answered: its address may be wrong
	total             time.Duration // after the first failure; no attempt begins later
	idle              time.Duration // after which a connection that transfers nothing is broken
}

// retries is the policy of this process. Tests change it.
var retries = retryPolicy{shortest: 200 * time.Millisecond, longest: 30 * time.Second, first: 4, total: 5 * time.Minute, idle: time.Minute}

// minSpeed is the slowest transfer in bytes per second that is waited for.
const minSpeed = 128 << 10

// attempt calls send until it succeeds, its error is final, or the context of the store ends. size is
// the number of bytes that it may transfer.
func (s *store) attempt(size int64, send func(ctx context.Context) error) error {
	var failed time.Time // for the first time
	for n := 1; ; n++ {
		ctx, cancel := context.WithTimeout(s.ctx, retries.idle+time.Duration(size/minSpeed)*time.Second)
		err := send(ctx)
		cancel()
		switch {
		case err != nil && s.ctx.Err() != nil && statusOf(err) == 0:
			return context.Cause(s.ctx)
		case !isTransient(err):
			s.reached.Store(true)
			return err
		case n == 1:
			failed = time.Now()
		}
		wait := retries.wait(n)
		if retries.isOver(n, s.reached.Load(), time.Since(failed)+wait) {
			return err
		}
		select {
		case <-time.After(wait):
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		}
	}
}

// isOver reports whether n attempts are enough. The next one would begin after time d since the first
// failure.
func (p retryPolicy) isOver(n int, reached bool, d time.Duration) bool {
	return d > p.total || !reached && n >= p.first
}

// wait returns the wait after attempt n.
func (p retryPolicy) wait(n int) time.Duration {
	d := min(p.shortest<<min(n-1, 20), p.longest)
	return d - rand.N(d/2+1)
}

// transientCodes are codes of answers that another attempt may not get: the store is busy, or two
// requests for one name met.
var transientCodes = []string{
	"InternalError", "OperationAborted", "ConditionalRequestConflict", "RequestTimeout", "ServiceUnavailable", "SlowDown",
	"SlowDownRead", "SlowDownWrite", "Throttling", "ThrottlingException", "RequestLimitExceeded",
}

// isTransient reports whether another attempt may succeed.
func isTransient(err error) bool {
	if err == nil {
		return false
	}
	if answer := (minio.ErrorResponse{}); errors.As(err, &answer) {
		switch {
		case slices.Contains(transientCodes, answer.Code):
			return true
		case answer.StatusCode == http.StatusNotImplemented:
			return false
		}
		return answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests ||
			answer.StatusCode == http.StatusConflict || answer.StatusCode == http.StatusRequestTimeout
	}
	var network net.Error
	var cutXML *xml.SyntaxError // of a listing that ends early without a word
	return errors.As(err, &network) || errors.As(err, &cutXML) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errCutOff) || errors.Is(err, errNoCredentials) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNREFUSED)
}
