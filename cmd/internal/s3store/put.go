package s3store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/minio/minio-go/v7"

	"selfplay/datasets/disk"
)

// maxObject is the size in bytes of the largest object that one PUT makes.
const maxObject = 5 << 30

// Link publishes a local file under the name of an object, which must be free: else the error is
// fs.ErrExist.
func (s *store) Link(old, file string) error {
	name, remote := s.name(file)
	if !remote {
		return disk.OS{}.Link(old, file)
	}
	return s.upload(old, name, ifFree)
}

// Rename publishes a local file in the place of an object.
func (s *store) Rename(old, file string) error {
	name, remote := s.name(file)
	if !remote {
		return disk.OS{}.Rename(old, file)
	}
	if err := s.upload(old, name, unconditional); err != nil {
		return err
	}
	return os.Remove(old)
}

// Swap publishes a local file in the place of an object that has the content before. If the object
// has another content by now, the error is disk.ErrChanged.
func (s *store) Swap(old, file string, before []byte) error {
	name, _ := s.name(file)
	found, err := s.readFirst(s.key(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	exists, expected := err == nil, before != nil
	if exists != expected || !bytes.Equal(found.data, before) {
		return s.explain("put", s.key(name), disk.ErrChanged)
	}
	when := ifFree
	if exists {
		when = condition{header: "If-Match", value: `"` + found.etag + `"`}
	}
	if err = s.upload(old, name, when); errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return s.explain("put", s.key(name), disk.ErrChanged)
	}
	if err != nil {
		return err
	}
	return os.Remove(old)
}

// errTooLarge: an object would need several uploads.
var errTooLarge = fmt.Errorf("more than the %d bytes of an object; choose a smaller --shard-games", int64(maxObject))

// upload puts a local file under a condition, which the store must know.
func (s *store) upload(old, name string, when condition) error {
	if err := s.probe(when); err != nil {
		return err
	}
	f, err := os.Open(old)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() > maxObject {
		return s.explain("put", s.key(name), errTooLarge)
	}
	return s.put(name, f, info.Size(), when)
}

// put makes an object of the first size bytes of r.
func (s *store) put(name string, r io.ReaderAt, size int64, when condition) error {
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(r, 0, size)); err != nil {
		return err
	}
	sum := hex.EncodeToString(hash.Sum(nil))
	o := minio.PutObjectOptions{
		ContentType:  contentTypes[path.Ext(name)],
		UserMetadata: map[string]string{"x-amz-checksum-sha256": checksum(sum)},

		DisableContentSha256: true, // the request is signed with the sum, not in chunks
	}
	when.set(&o)
	s.listings.forget(name)
	defer s.listings.forget(name) // a listing that began meanwhile may show the object before
	err := s.attempt(size, func(ctx context.Context) error {
		_, err := s.client.PutObject(ctx, s.bucket, s.key(name), io.NewSectionReader(r, 0, size), size, "", sum, o)
		return err
	})
	return s.explain("put", s.key(name), err)
}

// contentTypes are the media types of objects. Others are plain bytes.
var contentTypes = map[string]string{
	".parquet": "application/vnd.apache.parquet", ".arrow": "application/vnd.apache.arrow.file",
	".json": "application/json", ".md": "text/markdown; charset=utf-8",
}

// checksum returns a SHA-256 as stores write it: in base 64 instead of hexadecimal.
func checksum(sum string) string {
	bytes, _ := hex.DecodeString(sum)
	return base64.StdEncoding.EncodeToString(bytes)
}
