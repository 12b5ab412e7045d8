package program

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/address"
	"selfplay/cmd/internal/serve"
)

// maxServed is the number of directories that serve takes. Each may have many datasets.
const maxServed = 64

// defaultListen is the address of serve without --listen.
const defaultListen = "127.0.0.1:8642"

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:      "serve",
		Usage:     "show datasets in a browser, play there, and feed programs over HTTP",
		ArgsUsage: "DIR...",
		Description: "Serves the datasets in and below the directories, also while they are being made, until it is\n" +
			"interrupted. It prints its address and writes nothing but indexes of games in its cache.\n\n" +
			"Only this machine reaches it by default. An address of other machines needs a token and TLS.\n" +
			"Programs send the token as Authorization: Bearer TOKEN; a browser asks for it as a password.\n\n" +
			"Examples:\n" +
			"  selfplay serve data\n" +
			"  selfplay serve --listen 127.0.0.1:9000 data/demo s3://bucket/night\n" +
			"  selfplay serve --listen 0.0.0.0:443 --token-file token --tls-cert c.pem --tls-key k.pem .",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "listen", Value: defaultListen, Usage: "answer at `ADDR`; without a host, on the loopback interface"},
			&cli.StringFlag{Name: "cache", DefaultText: "in the user's cache directory", Usage: "keep indexes of games in `DIR`"},
			&cli.StringFlag{Name: "token-file", Usage: "clients must send the token in `FILE`, 16 or more characters"},
			&cli.StringFlag{Name: "tls-cert", Usage: "answer over TLS with the certificate in `FILE` (PEM)"},
			&cli.StringFlag{Name: "tls-key", Usage: "key of the certificate, in `FILE` (PEM)"},
			&cli.StringSliceFlag{Name: "host", Usage: "also answer requests to `NAME`, for example behind a proxy; may be repeated"},
			&cli.BoolFlag{Name: "insecure", Usage: "allow addresses of other machines without a token or without TLS"},
		},
		Action: runServe,
	}
}

func runServe(c *cli.Context) error {
	o, err := serveOptions(c)
	if err != nil {
		return err
	}
	s, err := serve.New(o)
	if err != nil {
		return err
	}
	l, err := s.Listen()
	if err != nil {
		return usagef("%v: choose another --listen", err)
	}
	text := o.Exposure()
	if text != "" {
		o.Log.Warn("insecure", "reach", text)
	}
	if _, err := fmt.Fprintln(c.App.Writer, s.URL(l)); err != nil {
		return errors.Join(err, l.Close())
	}
	return s.Serve(c.Context, l)
}

// serveOptions reads the flags.
func serveOptions(c *cli.Context) (o serve.Options, err error) {
	o = serve.Options{
		Cache: c.String("cache"), Addr: c.String("listen"), Hosts: c.StringSlice("host"),
		Cert: c.String("tls-cert"), Key: c.String("tls-key"), Insecure: c.Bool("insecure"), Known: catalogOf(c), Log: logOf(c),
	}
	if o.Dirs, err = dirArgs(c, maxServed); err != nil {
		return o, err
	}
	if host, port, err := address.Split(o.Addr); err == nil && host == "" {
		o.Addr = net.JoinHostPort(address.Loopback, port)
	}
	if o.Cache == "" {
		o.Cache, err = defaultCache()
	} else {
		err = checkCache(o.Cache)
	}
	if err != nil {
		return o, err
	}
	file := c.String("token-file")
	if file != "" {
		if o.Token, err = serve.ReadToken(file); err != nil {
			return o, usagef("%v", err)
		}
	}
	if err := o.Check(); err != nil {
		return o, usagef("%v", err)
	}
	return o, nil
}

// checkCache refuses a folder that indexes cannot be written to. The default one may be read-only:
// indexes are then kept in memory.
func checkCache(dir string) error {
	err := os.MkdirAll(dir, 0o755)
	var f *os.File
	if err == nil {
		f, err = os.CreateTemp(dir, ".probe")
	}
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return usagef("cache %s: %v: want a folder that can be written to", dir, err)
	}
	return nil
}

// defaultCache returns the folder of the indexes without --cache.
func defaultCache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", usagef("find the user's cache directory: %v: want --cache DIR", err)
	}
	return filepath.Join(dir, "selfplay", "serve"), nil
}
