package main

import (
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
)

// aboutFlags say what a dataset tells of itself, in its card and in croissant.json. None
// of it is in the plan.
func aboutFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "title", DefaultText: "made of the game's name", Usage: "`TITLE` of the dataset"},
		&cli.StringFlag{Name: "licence", Usage: "`ID` of its licence as the Hugging Face hub knows it: cc-by-4.0"},
		&cli.StringFlag{Name: "creator", Usage: "`NAME` of who made it"},
		&cli.StringFlag{Name: "date", DefaultText: "1970-01-01", Usage: "`DATE` of publication as 2026-11-21; never taken from a clock"},
		&cli.StringFlag{Name: "url", Usage: "`URL` where it will be found"},
	}
}

// maxAbout is how long a text is at most, in characters.
const maxAbout = 200

var licenceID = regexp.MustCompile(`^[a-z0-9][a-z0-9.+-]*$`)

// chosenAbout reads these flags.
func chosenAbout(c *cli.Context) (a datasets.About, err error) {
	a = datasets.About{
		Title: c.String("title"), Licence: c.String("licence"), Creator: c.String("creator"), Date: c.String("date"), URL: c.String("url"),
	}
	for _, name := range []string{"title", "creator", "url"} {
		if text := c.String(name); !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxAbout || strings.ContainsFunc(text, unicode.IsControl) {
			return a, app.Usage("%s %q: want one line of at most %d characters", name, text, maxAbout)
		}
	}
	if a.Licence != "" && (!licenceID.MatchString(a.Licence) || len(a.Licence) > maxAbout) {
		return a, app.Usage("licence %q: want an identifier as cc-by-4.0 or apache-2.0", a.Licence)
	}
	if _, err := time.Parse(time.DateOnly, a.Date); a.Date != "" && err != nil {
		return a, app.Usage("date %q: want it as 2026-11-21", a.Date)
	}
	if u, err := url.Parse(a.URL); a.URL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		return a, app.Usage("url %q: want one that begins with https:// or http://", a.URL)
	}
	return a, nil
}

// refuseOtherAbout refuses to go on with a dataset that tells something else of itself
// than what is asked for: that is fixed by the run that begins it.
func refuseOtherAbout(c *cli.Context, out string, want datasets.About) error {
	ds, err := datasets.Open(out)
	if err != nil {
		return nil // there is none yet, or Make says what is wrong
	}
	is := ds.About()
	for _, f := range []struct{ name, is, want string }{
		{"title", is.Title, want.Title}, {"licence", is.Licence, want.Licence}, {"creator", is.Creator, want.Creator},
		{"date", is.Date, want.Date}, {"url", is.URL, want.URL},
	} {
		if c.IsSet(f.name) && f.is != f.want {
			return app.Usage("%s %q: it is %q in %s, fixed by the run that began it", f.name, f.want, f.is, out)
		}
	}
	return nil
}
