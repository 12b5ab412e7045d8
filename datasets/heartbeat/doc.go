// Package heartbeat writes and reads small files that say how the processes that make a
// dataset are getting on. They are for people and for monitoring, also on other machines
// that share the file system. No byte of a dataset depends on them.
//
// Each process replaces its file .selfplay/runs/<owner>.json every few seconds, where
// owner is the owner of its lease (package disk). The file is replaced by a rename, so a
// reader sees a whole one. It is not synced: after a power cut it may be empty. An error
// of the disk is ignored: the next beat tries again, and the heartbeat looks old meanwhile.
// Writers use the operating system directly, as locks do, and no disk.FS.
//
// At its end a process writes a last beat that says how it ended ([Stopped], [Failed],
// [Done]). A process that is killed leaves its last beat. These files stay until the next
// process of the same task begins, or until a dataset is complete.
//
// Times are those of the clock of the writer. [Beat.Seq] grows with each beat, so that a
// reader that looks twice needs no clock of another machine.
//
//	beat.go     Beat: the content of a file
//	read.go     reading and removing files
//	writer.go   Writer: the heartbeat of this process
//	speed.go    games per second over the last minutes
//	machine.go  which machine this is
package heartbeat
