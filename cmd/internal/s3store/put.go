package s3store

import (
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
	"strings"

	"github.com/minio/minio-go/v7"

	"selfplay/datasets/disk"
)

// maxObject is the size in bytes of the largest object that one PUT makes.
const maxObject = 5 << 30

// The object of a dataset on which publishing is tested.
const (
	probeName = disk.Hidden + "/create-only"
	probeText = "objects of this dataset are created once\n"
)

// Link publishes a local file under the name of an object, which must be free: else the error is
// fs.ErrExist.
func (s *store) Link(old, file string) error {
	name, remote := s.name(file)
	if !remote {
		return disk.OS{}.Link(old, file)
	}
	s.probe.Do(func() { s.probeErr = s.testCreateOnly() })
	if s.probeErr != nil {
		return s.probeErr
	}
	return s.upload(old, name, true)
}

// Rename publishes a local file in the place of an object.
func (s *store) Rename(old, file string) error {
	name, remote := s.name(file)
	if !remote {
		return disk.OS{}.Rename(old, file)
	}
	if err := s.upload(old, name, false); err != nil {
		return err
	}
	return os.Remove(old)
}

// testCreateOnly puts an object twice: the store must refuse the second one.
func (s *store) testCreateOnly() error {
	for range 2 {
		err := s.put(probeName, strings.NewReader(probeText), int64(len(probeText)), true)
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return s.explain("put", s.key(probeName), errIgnored)
}

// errIgnored: publishing could overwrite what another writer has published.
var errIgnored = errors.New("the store ignores If-None-Match, so two writers could overwrite each other's files; " +
	"use a store that knows it")

// errTooLarge: an object would need several uploads.
var errTooLarge = fmt.Errorf("more than the %d bytes of an object; choose a smaller --shard-games", int64(maxObject))

// upload puts a local file. With create, the name must be free.
func (s *store) upload(old, name string, create bool) error {
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
	return s.put(name, f, info.Size(), create)
}

// put makes an object of the first size bytes of r.
func (s *store) put(name string, r io.ReaderAt, size int64, create bool) error {
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
	if create {
		o.SetMatchETagExcept("*")
	}
	s.listings.forget(name)
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
