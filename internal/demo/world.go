// Package demo makes the same demonstration data at every start: two accounts
// with their sites, profiles and drafts, and eight weeks of facts. People see
// it through the demo command, tests and benchmarks use it too. All names are
// invented and all domains end in .example.
package demo

import (
	"fmt"
	"strings"
	"time"
)

// company is a demonstration account and its site.
type company struct {
	account      int
	name         string
	organization string
	property     int
	host         string
	brands       []string // its own first
	topics       []string
	rivals       []string // hosts
}

// Account numbers of the demonstration.
const (
	Coffee   = 1001
	Outdoors = 1002
)

var companies = []company{
	{
		account: Coffee, name: "Harbor Lane Coffee", organization: "4F1C0A7E5B9D4E6C8A2B3D5F7E901C11",
		property: 11, host: "www.harborlane.example",
		brands: []string{"Harbor Lane", "Bean Atlas", "Crema Works", "Slow Kettle", "Roastery North"},
		topics: []string{"pour over coffee", "espresso machine", "coffee grinder", "cold brew", "coffee subscription",
			"decaf coffee", "moka pot", "latte art", "coffee beans", "french press"},
		rivals: []string{"www.beanatlas.example", "cremaworks.example", "blog.slowkettle.example", "roasterynorth.example",
			"www.dailygrind.example", "kitchenbench.example", "forum.homebarista.example", "www.brewjournal.example",
			"cupandsaucer.example", "shop.espressohouse.example", "www.morningpress.example", "tastetest.example"},
	},
	{
		account: Outdoors, name: "Northlight Outdoor", organization: "9B2E6D8C1A3F4B5D7C6E8F0A2B4D6E22",
		property: 21, host: "northlight.example",
		brands: []string{"Northlight", "Pinecone Gear", "Trailhead Supply", "Summit & Co", "Fjordline"},
		topics: []string{"ultralight tent", "hiking boots", "sleeping bag", "trekking poles", "rain jacket",
			"camping stove", "backpack for day hikes", "water filter", "head torch", "merino base layer"},
		rivals: []string{"www.pineconegear.example", "trailheadsupply.example", "summitandco.example", "www.fjordline.example",
			"gearlab.example", "blog.longtrail.example", "www.weekendhiker.example", "forum.campfire.example",
			"outdoordeals.example", "www.mountainpost.example", "maps.trailfinder.example", "packlist.example"},
	},
}

// firstWeek is the Sunday on which the facts begin.
var firstWeek = time.Date(2026, time.September, 6, 0, 0, 0, 0, time.UTC)

// Weeks of facts for each account and dataset.
const Weeks = 8

// Week is the first and last day of a week of facts, counted from 0.
func Week(n int) (start, end string) {
	sunday := firstWeek.AddDate(0, 0, 7*n)
	return sunday.Format(time.DateOnly), sunday.AddDate(0, 0, 6).Format(time.DateOnly)
}

// Page is a page of a demonstration site.
type Page struct {
	URL, Title, Topic string
}

// Site lists the pages of an account's site: a home page, and a guide, a shop
// page and a journal entry for each topic.
func Site(account int) []Page {
	for _, c := range companies {
		if c.account == account {
			return c.site()
		}
	}
	return nil
}

func (c company) site() []Page {
	base := "https://" + c.host
	pages := []Page{{URL: base + "/", Title: c.name}}
	for _, t := range c.topics {
		slug := strings.ReplaceAll(t, " ", "-")
		pages = append(pages,
			Page{base + "/guides/" + slug, fmt.Sprintf("%s: a guide for beginners", title(t)), t},
			Page{base + "/shop/" + slug, fmt.Sprintf("Buy %s | %s", t, c.name), t},
			Page{base + "/journal/what-we-learned-about-" + slug, fmt.Sprintf("What we learned about %s", t), t})
	}
	return pages
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// engine is a rank source of the demonstration.
type engine struct {
	id                              int
	name, engine, country, language string
}

var engines = []engine{
	{1, "GOOGLE_EN_US", "GOOGLE", "US", "en"},
	{2, "BING_EN_US", "BING", "US", "en"},
}
