package archtest

import "strings"

// Sets of folders, separated by blanks. "x/..." is x and everything below it,
// any other folder stands for itself alone.
const (
	leaves  = "internal/vocab internal/fault internal/console schema"
	engines = "internal/text/... internal/htmldoc/... internal/extract/... internal/crawl/... internal/search/... internal/llm/..."
	storage = "internal/store internal/jobs internal/auth internal/facts"

	services = "internal/draft internal/profile internal/reference internal/knowledge internal/insight " +
		"internal/linking internal/serp internal/generate internal/dataquery"

	transports = "graph graph/generated graph/scalar rest"
	// tests are packages for test files alone; nothing else imports them.
	tests = "internal/pgtest internal/bench internal/archtest"

	everything = leaves + " internal/input " + engines + " ent/schema ent/db/... ent/migrate " + storage + " " + services + " " +
		transports + " graph/playground internal/demo"
)

// Modules of a transport, which services and engines must not know. A service
// that names an HTTP status or a GraphQL context serves one transport only.
const (
	graphQL = "github.com/99designs/gqlgen/... github.com/vektah/gqlparser/..."
	routing = "net/http/... github.com/go-chi/..."
)

// layer is a set of folders with the same rights.
type layer struct {
	folders string
	may     string // folders of this module that they may import
	never   string // packages of others that they must not import
}

// layers hold every package of the module, each in exactly one layer.
var layers = map[string]layer{
	"leaf":       {leaves, "", graphQL + " " + routing + " entgo.io/..."},
	"page":       {"graph/playground", "", graphQL + " entgo.io/..."},
	"input":      {"internal/input", "internal/fault", graphQL + " " + routing},
	"engine":     {engines, "internal/fault", graphQL + " github.com/go-chi/... entgo.io/..."},
	"ent":        {"ent", "", ""},
	"ent schema": {"ent/schema", "internal/vocab", ""},
	"ent client": {"ent/db/...", "ent/schema internal/vocab", ""},
	"migrations": {"ent/migrate", "", ""},
	"storage":    {storage, "ent/db/... internal/fault internal/vocab", graphQL + " github.com/go-chi/..."},
	"service": {services,
		"ent/db/... internal/store internal/jobs internal/facts internal/input internal/fault internal/vocab " + engines,
		graphQL + " " + routing},
	"graph scalar":   {"graph/scalar", "internal/fault internal/vocab", ""},
	"graph executor": {"graph/generated", "graph/scalar " + services + " internal/auth ent/db/... internal/vocab", ""},
	"transport": {"graph rest",
		"graph/generated graph/scalar " + services + " internal/auth internal/input internal/fault internal/vocab ent/db/... schema", ""},
	"demo data": {"internal/demo",
		services + " " + storage + " ent/db/... internal/input internal/fault internal/vocab", ""},
	"wiring":       {"internal/app", everything, ""},
	"command":      {"cmd/contentgraph", "internal/app internal/demo internal/auth internal/extract internal/facts internal/store internal/fault internal/vocab ent/db/...", ""},
	"test support": {tests, everything + " internal/app internal/pgtest", ""},
}

// also are the few edges that one folder has beyond its layer: those that lead
// sideways or downwards within a layer.
var also = map[string]string{
	"internal/htmldoc": "internal/text/...",
	"internal/extract": "internal/text/... internal/htmldoc/...",
	"internal/crawl":   "internal/text/... internal/htmldoc/... internal/extract/...",
	"internal/search":  "internal/text/...",

	"internal/store": "ent/migrate",
	"internal/jobs":  "internal/store",
	"internal/auth":  "internal/store",
	"internal/facts": "internal/store",

	"internal/draft":    "internal/profile",
	"internal/insight":  "internal/serp internal/profile",
	"internal/generate": "internal/insight internal/knowledge internal/profile",
}

// in reports whether a folder or package is in a set.
func in(name, set string) bool {
	for _, f := range strings.Fields(set) {
		if base, tree := strings.CutSuffix(f, "/..."); name == base || tree && strings.HasPrefix(name, base+"/") {
			return true
		}
	}
	return false
}

// layerOf finds the layer of a folder, "" when it has none.
func layerOf(folder string) (name string, l layer) {
	for name, l := range layers {
		if in(folder, l.folders) {
			return name, l
		}
	}
	return "", layer{}
}
