package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// documents are the files of a dataset besides its data and networks.
var documents = []string{plan.FileName, "README.md", "croissant.json", "manifest.json"}

// documents returns the names of the files that clients may read besides those of the commit
// records. Those that are written at the end of a run may not exist.
func (d *Dataset) documents() ([]string, error) {
	ds, err := d.Data()
	if err != nil {
		return nil, err
	}
	names := slices.Clone(documents)
	for _, sum := range ds.Plan().Networks {
		names = append(names, "nets/"+sum+".safetensors")
	}
	return names, nil
}

// Opened is an open file of a dataset. The caller closes it.
type Opened struct {
	io.ReadSeekCloser
	SHA256  string // of what the reader returns
	Written time.Time
}

// OpenFile opens a file by its name in the dataset. Only names that the dataset has can be
// opened: no path of a client reaches the disk. A data file must have the SHA-256 of its
// commit record; see ReadShard. The error is NotFound for other names.
func (d *Dataset) OpenFile(ctx context.Context, name string) (f *Opened, err error) {
	names, err := d.documents()
	if err != nil {
		return nil, err
	}
	if slices.Contains(names, name) {
		return d.openDocument(ctx, name)
	}
	commits, err := d.Commits()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(commits, func(c *record.Commit) bool { return sumOf(c, name) != "" })
	if i < 0 {
		return nil, NotFound("no file %.200q in dataset %s: /api/datasets/%s/files lists them", name, d.Name, d.Name)
	}
	_, err = d.ReadShard(commits[i], func(c *record.Commit) error {
		sum := sumOf(c, name)
		if sum == "" {
			return NotFound("no file %.200q in dataset %s any more: its shard was extended; /api/datasets/%s/files lists the files", name, d.Name, d.Name)
		}
		f, err = d.openSum(ctx, name, sum)
		return err
	})
	return f, err
}

// sumOf returns the SHA-256 of a data file of a shard, "" if the shard has no such file.
func sumOf(c *record.Commit, name string) string {
	for _, e := range c.Files {
		if e.Name == name {
			return e.SHA256
		}
	}
	return ""
}

// openDocument opens a file that is no data file.
func (d *Dataset) openDocument(ctx context.Context, name string) (*Opened, error) {
	leave, err := d.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	f, err := d.openSum(ctx, name, "")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, NotFound("no file %s in dataset %s at the moment", name, d.Name)
	}
	return f, err
}

// openSum opens a file, which must have a SHA-256 unless that is "".
func (d *Dataset) openSum(ctx context.Context, name, want string) (*Opened, error) {
	f, info, err := d.openRegular(name)
	if err != nil {
		return nil, fmt.Errorf("open %s of %s: %w", name, d.Name, err)
	}
	sum, err := d.sumOfOpened(ctx, name, f, info)
	if err == nil && want != "" && sum != want {
		err = fmt.Errorf("%w: SHA-256 %.12s, want %.12s", datasets.ErrCorrupt, sum, want)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("read %s of %s: %w", name, d.Name, err)
	}
	return &Opened{f, sum, info.ModTime()}, nil
}

// sumOfOpened returns the SHA-256 of an open file, and leaves the file at its beginning. It computes one sum of the
// dataset at a time: a run beside the server needs the processor.
func (d *Dataset) sumOfOpened(ctx context.Context, name string, f io.ReadSeeker, info fs.FileInfo) (string, error) {
	dir, err := disk.At(d.Dir)
	if err != nil {
		return "", err
	}
	path := dir.Path(name)
	sum, known := record.KnownSum(path, info)
	if known {
		return sum, nil
	}
	d.hashing.Lock()
	defer d.hashing.Unlock()
	sum, known = record.KnownSum(path, info)
	if known { // another request was faster
		return sum, nil
	}
	sum, err = record.LearnSum(path, info, &cancellable{f, ctx})
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	return sum, err
}

// cancellable is a reader that fails when a context ends.
type cancellable struct {
	r   io.Reader
	ctx context.Context
}

func (c *cancellable) Read(p []byte) (int, error) {
	err := c.ctx.Err()
	if err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// openRegular opens a regular file. On a disk it follows no link that leads out of the dataset.
func (d *Dataset) openRegular(name string) (disk.File, fs.FileInfo, error) {
	if disk.IsURL(d.Dir) {
		return d.openObject(name)
	}
	f, err := disk.OpenBelow(d.Dir, name)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// openObject opens a file in an object store.
func (d *Dataset) openObject(name string) (disk.File, fs.FileInfo, error) {
	dir, err := disk.At(d.Dir)
	if err != nil {
		return nil, nil, err
	}
	info, err := dir.FS.Stat(dir.Path(name))
	if err != nil {
		return nil, nil, err
	}
	f, err := dir.FS.Open(dir.Path(name))
	return f, info, err
}
