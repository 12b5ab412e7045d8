package s3store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"selfplay/datasets/disk"
)

// Scheme begins the URLs of this package.
const Scheme = "s3"

// Settings say how stores are reached. The zero value takes everything from the environment.
type Settings struct {
	// Endpoint is the URL of the store. If it is empty, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL
	// have it; without them it is Amazon's.
	Endpoint string
	// Scratch is a directory of this machine. Each dataset gets a folder of its own in it. If it
	// is empty, it is a folder in the user's cache directory.
	Scratch string
	// Context ends all requests. nil means that nothing does.
	Context context.Context
}

// store is a dataset in a store. Several goroutines may use it.
type store struct {
	ctx     context.Context // of all requests
	client  *minio.Core
	bucket  string
	prefix  string // of all keys, without a slash at its end; may be empty
	root    string // of the local files
	reached atomic.Bool

	createOnly probe // of If-None-Match
	swaps      probe // of If-Match

	listings listings
	ahead    ahead
	recent   recent
}

// Open returns the directory of the dataset at a URL. It sends no request and makes no folder.
func Open(url string, s Settings) (disk.Dir, error) {
	bucket, prefix, err := parseURL(url)
	if err != nil {
		return disk.Dir{}, err
	}
	endpoint, client, err := connect(s.Endpoint)
	if err != nil {
		return disk.Dir{}, err
	}
	root, err := scratchFolder(s.Scratch, endpoint, bucket, prefix)
	if err != nil {
		return disk.Dir{}, err
	}
	if s.Context == nil {
		s.Context = context.Background()
	}
	st := &store{ctx: s.Context, client: client, bucket: bucket, prefix: prefix, root: root}
	return disk.Dir{Root: root, URL: Scheme + "://" + path.Join(bucket, prefix), FS: st}, nil
}

// parseURL splits s3://BUCKET/PREFIX.
func parseURL(url string) (bucket, prefix string, err error) {
	rest, ok := strings.CutPrefix(url, Scheme+"://")
	bucket, prefix, _ = strings.Cut(rest, "/")
	prefix = strings.TrimSuffix(prefix, "/")
	if !ok || s3utils.CheckValidBucketNameStrict(bucket) != nil {
		return "", "", fmt.Errorf("open %s: expected a URL such as s3://BUCKET/PREFIX, with the name of a bucket", url)
	}
	if prefix != "" && (path.Clean("/"+prefix) != "/"+prefix || s3utils.CheckValidObjectNamePrefix(prefix) != nil) {
		return "", "", fmt.Errorf("open %s: want a prefix without empty parts, dots and control characters", url)
	}
	return bucket, prefix, nil
}

// scratchFolder returns the folder of a dataset in the scratch directory. Its name depends on the
// whole address, so that datasets never share journals.
func scratchFolder(scratch, endpoint, bucket, prefix string) (string, error) {
	if scratch == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			cache = os.TempDir()
		}
		scratch = filepath.Join(cache, "selfplay")
	}
	scratch, err := filepath.Abs(scratch)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(endpoint + "\n" + bucket + "\n" + prefix))
	return filepath.Join(scratch, bucket+"-"+hex.EncodeToString(sum[:8])), nil
}

// key returns the key of a name in the dataset.
func (s *store) key(name string) string { return path.Join(s.prefix, name) }

// urlOf returns how errors name an object.
func (s *store) urlOf(key string) string { return Scheme + "://" + s.bucket + "/" + key }

// name returns the name in the dataset of a path on the machine, and whether the store has it.
// Paths outside of the dataset, such as its parent, are local.
func (s *store) name(file string) (name string, remote bool) {
	rel, err := filepath.Rel(s.root, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	name = filepath.ToSlash(rel)
	return name, !disk.IsLocal(name)
}
