// Package disk holds the file operations that datasets are built from: create-only
// publishing, atomic replacement, locks and leases, and outputs that appear whole or
// not at all.
//
// # Publishing
//
// A file is written under a temporary name, synced, and only then linked to its final
// name. A file with a final name is therefore complete, and an existing name is never
// overwritten. Replace is for derived files only: it renames over the old file. Both
// hold after a kill or a power cut at any moment.
//
// # Locks and leases
//
// One process holds the lock of a dataset exclusively, or several tasks share it. Each
// writer also holds a lease: a locked file .selfplay/tmp/<owner>.lock. Its temporary
// files are named <owner>.<name>. A temporary file whose lease is not locked belongs to
// a dead process and may be removed. Neither clocks nor process tables are consulted,
// because both mislead across machines and containers. The operating system drops a lock
// when its process dies, so locks never go stale.
//
// # Testing
//
// All file operations of a dataset go through the interface FS, so that tests can make
// each of them fail, or drop what was never synced. Locks and Pending use the operating
// system directly.
//
//	dir.go      Dir: the directory of a dataset
//	fs.go       FS: the file operations
//	store.go    At: a directory of the machine or of an object store
//	publish.go  Create, Publish and Replace; renamenew_*.go is a rename to a free name only
//	pending.go  Pending: outputs outside of datasets
//	lease.go    Lease: which temporary files belong to a live process; lease_probe.go what
//	            another process can see of it
//	lock.go     Lock: the right to write to a dataset; locked files
//	rooted.go   Dir.Rooted: no link is followed out of a directory
//	regular.go  refusal of links, pipes, devices and huge files; reading a file piece by piece
//	space_*.go  free bytes of a disk
//	sync_*.go   sync of a directory
package disk
