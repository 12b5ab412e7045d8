package s3store

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/minio/minio-go/v7"
)

var (
	// errCutOff: an answer ended before its last byte.
	errCutOff = errors.New("the answer of the store is cut off")
	// errChanged: an object was replaced while it was read.
	errChanged = errors.New("the object changed while it was read")
)

// statusOf returns the status of the answer of the store, 0 if there is none.
func statusOf(err error) int {
	answer := minio.ErrorResponse{}
	if !errors.As(err, &answer) {
		return 0
	}
	return answer.StatusCode
}

// explain words an error about an object and makes it one of package fs where there is one.
func (s *store) explain(op, key string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: s.urlOf(key), Err: s.cause(err)}
}

// cause returns the error of package fs for an answer of the store.
func (s *store) cause(err error) error {
	answer := minio.ErrorResponse{}
	if !errors.As(err, &answer) {
		return err
	}
	switch answer.Code {
	case "NoSuchKey": // no other answer says so, whatever its status is
		return fs.ErrNotExist
	case "NoSuchBucket":
		return fmt.Errorf("bucket %s does not exist: make it first, or check the endpoint", s.bucket)
	case "RequestTimeTooSkewed":
		return fmt.Errorf("%w: the clock of this machine is wrong by more than 15 minutes; set it", fs.ErrPermission)
	case "InvalidAccessKeyId", "XAdminUserNotFound", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken":
		return fmt.Errorf("%w: the store knows no such credentials (%s); "+
			"set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE", fs.ErrPermission, answer.Code)
	}
	switch answer.StatusCode {
	case http.StatusPreconditionFailed:
		return fs.ErrExist
	case http.StatusForbidden, http.StatusUnauthorized:
		return fmt.Errorf("%w: the store refuses it (%s); check the credentials and the rights of the bucket, to list it too",
			fs.ErrPermission, answer.Code)
	}
	return fmt.Errorf("the store answers %d %s: %s", answer.StatusCode, answer.Code, answer.Message)
}
