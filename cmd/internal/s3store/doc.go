// Package s3store keeps datasets in Amazon S3 and in stores that speak its protocol. It is the
// disk.FS of URLs such as s3://BUCKET/PREFIX: a dataset is the objects below the prefix, under the
// same names as the files in a directory.
//
// # Writing
//
// Files are made, synced and checked on a local disk, the scratch directory, which also holds
// journals, locks, leases and heartbeats (disk.IsLocal). Publishing a file is one PUT with
// If-None-Match: *, so an object is never replaced, and never seen before it is whole. Objects
// have at most 5 GiB; there are no multipart uploads and so no leftovers of them. The store gets
// the SHA-256 of the bytes with them and refuses others. Answer 412 is fs.ErrExist: the caller
// compares what is there. Only derived files are replaced.
//
// Two writers need no lock: whatever the order of their requests, a name gets its bytes once, and
// a shard counts when its commit record has its name. The target is replaced with If-Match, so that
// no writer overwrites a target that it has not seen. A store that ignores such a condition is found
// by a probe before the first file is published, and refused.
//
// # Reading
//
// Small objects are read by one request. Large ones are read in blocks, by ranges, and each range
// demands the ETag of the first one. Listings only save requests: an object that one shows
// exists and has that size; an object that none shows is asked for by name.
//
// # Failures
//
// Requests that fail by the network, by a time-out, with 409, 429 or 5xx are sent again, for
// minutes once the store has answered. A connection on which nothing moves for a minute is broken,
// so a store that takes requests and never answers fails within minutes, too. A PUT whose answer was
// lost may find its own object: that is 412 too. The end of Settings.Context ends all requests and
// waits.
//
//	store.go   Open: URL and settings to a disk.Dir
//	client.go  endpoint, region and connections; credentials.go
//	fs.go      the methods of disk.FS
//	put.go     publishing; condition.go what it depends on
//	object.go  reading an object; blocks.go its ranges, and those of objects that are opened again
//	list.go    listings, and what they show
//	ahead.go   reading records ahead
//	retry.go   which requests are sent again, and when
//	errors.go  errors of the store in words
package s3store
