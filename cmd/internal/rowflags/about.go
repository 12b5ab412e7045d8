package rowflags

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/plan"
)

// AboutFlags are texts for the card and for croissant.json. They are not part of the plan.
func AboutFlags() []cli.Flag {
	text := func(name, value, usage string) cli.Flag {
		return &cli.StringFlag{Name: name, Category: app.Output, DefaultText: value, Usage: usage}
	}
	return []cli.Flag{
		text("title", "from the game's name", "`TITLE` of the dataset on its card"),
		text("licence", "", "`ID` of its licence on the Hugging Face hub, such as cc-by-4.0"),
		text("creator", "", "`NAME` of the person or group that made it"),
		text("date", "none", "`DATE` of publication, such as 2026-11-21; never read from a clock"),
		text("url", "", "`URL` of its web page"),
	}
}

// maxAbout is the maximum length of a text of the card in characters.
const maxAbout = 200

var licenceID = regexp.MustCompile(`^[a-z0-9][a-z0-9.+-]*$`)

// About reads AboutFlags.
func About(c *cli.Context) (plan.About, error) {
	a := plan.About{
		Title: c.String("title"), Licence: c.String("licence"), Creator: c.String("creator"), Date: c.String("date"), URL: c.String("url"),
	}
	for _, name := range []string{"title", "creator", "url"} {
		if text := c.String(name); !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxAbout || strings.ContainsFunc(text, unicode.IsControl) {
			return a, app.Usage("%s %q: want one line of at most %d characters", name, text, maxAbout)
		}
	}
	if a.Licence != "" && (!licenceID.MatchString(a.Licence) || len(a.Licence) > maxAbout) {
		return a, app.Usage("licence %q: expected an identifier such as cc-by-4.0 or apache-2.0", a.Licence)
	}
	if _, err := time.Parse(time.DateOnly, a.Date); a.Date != "" && err != nil {
		return a, app.Usage("date %q: expected a date such as 2026-11-21", a.Date)
	}
	if u, err := url.Parse(a.URL); a.URL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		return a, app.Usage("url %q: want one that begins with https:// or http://", a.URL)
	}
	return a, nil
}

// aboutFlags are the flags of these texts.
var aboutFlags = []string{"title", "licence", "creator", "date", "url"}

// RefuseOtherAbout refuses texts that differ from those of the dataset in out. The command
// that began the dataset fixed them.
func RefuseOtherAbout(c *cli.Context, out string, want plan.About) error {
	if !slices.ContainsFunc(aboutFlags, c.IsSet) {
		return nil
	}
	ds, err := datasets.Open(out)
	if err != nil {
		return nil // no dataset yet; Make reports any other error
	}
	is := ds.About()
	for _, f := range []struct{ name, is, want string }{
		{"title", is.Title, want.Title}, {"licence", is.Licence, want.Licence}, {"creator", is.Creator, want.Creator},
		{"date", is.Date, want.Date}, {"url", is.URL, want.URL},
	} {
		if c.IsSet(f.name) && f.is != f.want {
			return app.Usage("%s %q: it is %q in %s, fixed by the run that began the dataset", f.name, f.want, f.is, out)
		}
	}
	return nil
}
