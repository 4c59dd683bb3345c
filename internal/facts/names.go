package facts

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"

	"github.com/contentgraph/contentgraph/ent/db"
	"github.com/contentgraph/contentgraph/ent/db/account"
	"github.com/contentgraph/contentgraph/ent/db/ranksource"
	"github.com/contentgraph/contentgraph/ent/db/webproperty"
)

// names are the accounts, web properties and rank sources that a file names.
// Those that do not exist are made when the file becomes current.
type names struct {
	accounts   map[int]string
	properties map[int]map[int]string // by account, number
	sources    map[string]rankSource  // by name
	last       mention
}

type rankSource struct {
	id                        int // that the file wants; 0 = any
	engine, country, language string
}

// mention is what one row names.
type mention struct {
	account, property                     int // 0 = none
	accountName, propertyName             string
	source, id, engine, country, language string
}

// mention reads what a row of an account and a web property names.
func (l *layout) mention(account, property int, values []string) mention {
	value := func(column string) string { return values[l.index[column]] }
	m := mention{account: account, property: property, accountName: value("account_name"), propertyName: value("web_property_name")}
	if l.dataset.Ranked {
		m.source, m.id, m.engine = value("search_engine_name"), value(rankSourceID), value("search_engine")
		m.country, m.language = value("search_engine_country_code"), value("search_engine_language_code")
	}
	return m
}

// note remembers what a row names; the first name given to a thing counts.
func (n *names) note(m mention) {
	if n.accounts == nil {
		n.accounts, n.properties, n.sources = map[int]string{}, map[int]map[int]string{}, map[string]rankSource{}
	} else if m == n.last {
		return
	}
	n.last = m
	remember(n.accounts, m.account, m.accountName)
	if m.property != 0 {
		if n.properties[m.account] == nil {
			n.properties[m.account] = map[int]string{}
		}
		remember(n.properties[m.account], m.property, m.propertyName)
	}
	if known, ok := n.sources[m.source]; m.source == "" || ok && (known.id != 0 || m.id == "") {
		return
	}
	id, _ := strconv.Atoi(m.id)
	n.sources[strings.Clone(m.source)] = rankSource{
		id: id, engine: strings.Clone(m.engine), country: strings.Clone(m.country), language: strings.Clone(m.language),
	}
}

func remember(names map[int]string, id int, name string) {
	if old, ok := names[id]; !ok || old == "" && name != "" {
		names[id] = strings.Clone(name) // not the record that it is part of
	}
}

// create makes what is missing, always in the same order, so that imports that
// do so at once wait for rather than block each other.
func (n *names) create(ctx context.Context, tx *db.Client, now time.Time) error {
	known, err := tx.Account.Query().Where(account.IDIn(slices.Collect(maps.Keys(n.accounts))...)).IDs(ctx)
	if err != nil {
		return err
	}
	for _, id := range missing(n.accounts, known) {
		err := tx.Account.Create().SetID(id).SetName(or(n.accounts[id], "Account", id)).
			SetCreated(now.UTC().Truncate(time.Millisecond)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	for _, a := range slices.Sorted(maps.Keys(n.properties)) {
		if err := n.createProperties(ctx, tx, a, n.properties[a]); err != nil {
			return err
		}
	}
	return n.createSources(ctx, tx)
}

func (n *names) createProperties(ctx context.Context, tx *db.Client, account int, names map[int]string) error {
	known, err := tx.WebProperty.Query().Where(webproperty.AccountID(account)).Select(webproperty.FieldNumber).Ints(ctx)
	if err != nil {
		return err
	}
	for _, number := range missing(names, known) {
		err := tx.WebProperty.Create().SetAccountID(account).SetNumber(number).
			SetName(or(names[number], "Web property", number)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// createSources gives each new rank source the id that the file wants if that
// is free, else the next one.
func (n *names) createSources(ctx context.Context, tx *db.Client) error {
	if len(n.sources) == 0 {
		return nil
	}
	existing, err := tx.RankSource.Query().Order(ranksource.ByID(sql.OrderAsc())).All(ctx)
	if err != nil {
		return err
	}
	taken, last := map[int]bool{}, 0
	fresh := maps.Clone(n.sources)
	for _, s := range existing {
		taken[s.ID], last = true, s.ID
		delete(fresh, s.Name)
	}
	ids := map[string]int{}
	inOrder := slices.Sorted(maps.Keys(fresh))
	for _, name := range inOrder {
		if id := fresh[name].id; id != 0 && !taken[id] {
			ids[name], taken[id], last = id, true, max(last, id)
		}
	}
	for _, name := range inOrder {
		if ids[name] == 0 {
			last++
			ids[name] = last
		}
		s := fresh[name]
		err := tx.RankSource.Create().SetID(ids[name]).SetName(name).
			SetEngine(s.engine).SetCountry(s.country).SetLanguage(s.language).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

func missing(names map[int]string, known []int) []int {
	left := maps.Clone(names)
	for _, id := range known {
		delete(left, id)
	}
	return slices.Sorted(maps.Keys(left))
}

func or(name, kind string, id int) string {
	if name != "" {
		return name
	}
	return kind + " " + strconv.Itoa(id)
}
