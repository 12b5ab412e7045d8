package pages

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/russross/blackfriday/v2"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/docs/games"
)

// rulesURL returns the page of the rules of a game, "" if docs has none.
func rulesURL(game string) string {
	_, err := games.Files.ReadFile(game + ".md")
	if err != nil {
		return ""
	}
	return catalog.Path("rules", game)
}

// rules shows the page of docs about a game. The boards of pages open it in place.
func (p *Pages) rules(w http.ResponseWriter, r *http.Request) error {
	err := catalog.ParamsOf(r).Err()
	if err != nil {
		return err
	}
	g, err := p.Known.Games.Find(r.PathValue("game"))
	if err != nil {
		return catalog.NotFound("%v", err)
	}
	text, err := games.Files.ReadFile(g.Name + ".md")
	if err != nil {
		return catalog.NotFound("this program has no page about %s", g.Name)
	}
	return write(w, http.StatusOK, "rules", &frame{
		Title: "Rules of " + g.Title, Crumbs: []crumb{{"Datasets", "/"}, {"Analysis", "/analysis?game=" + g.Name}, {"Rules", ""}},
		Page: template.HTML(rulesHTML(g.Name, text)),
	})
}

// pictures returns the pictures of the pages of rules, by name below /static.
func pictures() map[string]string {
	files := map[string]string{}
	entries, err := games.Files.ReadDir(".")
	if err != nil {
		panic(err) // it is part of the program
	}
	for _, e := range entries {
		data, err := games.Files.ReadFile(e.Name())
		if err == nil && strings.HasSuffix(e.Name(), ".svg") {
			files["rules/"+e.Name()] = string(data)
		}
	}
	return files
}

// Parts of a page that its place in docs has: blocks of examples, which tests check; pictures; and links
// to other pages and to headings.
var (
	exampleBlock    = regexp.MustCompile("(?s)```example\n(.*?)```")
	examplePosition = regexp.MustCompile(`(?m)^position (.*)$`)
	pictureSource   = regexp.MustCompile(`<img src="`)
	outerLink       = regexp.MustCompile(`<a href="[^#"/][^"]*">([^<]*)</a>`)
	innerLink       = regexp.MustCompile(`<a href="#`)
	tableStart      = regexp.MustCompile(`<table>`)
)

// headingPrefix keeps the ids of headings apart from those of the page on which the rules open.
const headingPrefix = "rules-"

// rulesHTML returns the HTML of a page of docs/games. Examples become links to their positions.
func rulesHTML(game string, text []byte) string {
	page := exampleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		found := examplePosition.FindStringSubmatch(block)
		if found == nil {
			return ""
		}
		q := url.Values{"game": {game}}
		if found[1] != "start" {
			q.Set("position", found[1])
		}
		return fmt.Sprintf("[Try this position](/analysis?%s)", q.Encode())
	})
	renderer := blackfriday.NewHTMLRenderer(blackfriday.HTMLRendererParameters{HeadingIDPrefix: headingPrefix})
	html := string(blackfriday.Run([]byte(page), blackfriday.WithRenderer(renderer), blackfriday.WithExtensions(blackfriday.CommonExtensions|blackfriday.AutoHeadingIDs)))
	html = pictureSource.ReplaceAllString(html, `<img src="/static/rules/`)
	html = outerLink.ReplaceAllString(html, "$1")
	html = innerLink.ReplaceAllString(html, `<a href="#`+headingPrefix)
	html = strings.ReplaceAll(html, "<pre>", `<pre tabindex="0">`) // it scrolls
	tables := 0
	html = tableStart.ReplaceAllStringFunc(html, func(string) string {
		tables++
		return fmt.Sprintf(`<div class="scroll" tabindex="0" role="region" aria-label="Table %d"><table class="list">`, tables)
	})
	return strings.ReplaceAll(html, "</table>", "</table></div>")
}
