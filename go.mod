module selfplay

go 1.25.0

require (
	github.com/apache/arrow/go/v17 v17.0.0
	github.com/klauspost/compress v1.18.7
	github.com/schollz/progressbar/v3 v3.19.1
	github.com/urfave/cli/v2 v2.27.7
	github.com/zeebo/xxh3 v1.1.0
	golang.org/x/sync v0.22.0
)
