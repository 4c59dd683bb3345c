package insight

import (
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files again")

type labelled struct{ query, intent, half string }

func labelledQueries(t *testing.T) []labelled {
	t.Helper()
	f, err := os.Open("testdata/intent/queries.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []labelled
	for _, r := range rows[1:] {
		list = append(list, labelled{r[0], r[1], r[2]})
	}
	return list
}

// confusion counts answers by label.
type confusion map[string]map[string]int

func (c confusion) f1(class string) float64 {
	hit, said, is := c[class][class], 0, 0
	for label, answers := range c {
		said += answers[class]
		if label == class {
			for _, n := range answers {
				is += n
			}
		}
	}
	if hit == 0 {
		return 0
	}
	return 2 * float64(hit) / float64(said+is)
}

func (c confusion) macroF1() (sum float64) {
	for _, class := range Objectives {
		sum += c.f1(class) / float64(len(Objectives))
	}
	return sum
}

func (c confusion) String() string {
	var b strings.Builder
	b.WriteString("| is, said to be | " + strings.Join(Objectives, " | ") + " | F1 |\n|---" + strings.Repeat("|---:", len(Objectives)+1) + "|\n")
	for _, label := range Objectives {
		fmt.Fprintf(&b, "| %s |", label)
		for _, answer := range Objectives {
			fmt.Fprintf(&b, " %d |", c[label][answer])
		}
		fmt.Fprintf(&b, " %.3f |\n", c.f1(label))
	}
	return b.String()
}

// TestIntent reports how well the words of a query alone tell its intent, on
// both halves of the labelled set; docs/intent.md shows the same.
func TestIntent(t *testing.T) {
	t.Parallel()
	halves := map[string]confusion{"tune": {}, "test": {}}
	for _, q := range labelledQueries(t) {
		got := objectiveOf("en", q.query).best(Objectives)
		c := halves[q.half]
		if c[q.intent] == nil {
			c[q.intent] = map[string]int{}
		}
		c[q.intent][got.Class]++
		if q.half == "tune" && got.Class != q.intent {
			t.Logf("%-45s is %s, said %s %v", q.query, q.intent, got.Class, got.Evidence)
		}
	}
	var b strings.Builder
	for _, half := range []string{"tune", "test"} {
		fmt.Fprintf(&b, "## %s: macro-F1 %.3f\n\n%s\n", map[string]string{"tune": "Half that the rules were tuned on", "test": "Half that they were not"}[half], halves[half].macroF1(), halves[half])
		if got := halves[half].macroF1(); got < 0.75 {
			t.Errorf("%s: macro-F1 %.3f", half, got)
		}
	}
	const file = "../../docs/intent.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "## Half")
	if want := head + strings.TrimRight(b.String(), "\n") + "\n"; want != string(text) {
		if !*update {
			t.Errorf("%s is not what the rules give; run with -args -update:\n%s", file, b.String())
		} else if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRulesNameNoQuery: a rule that is a labelled query would prove nothing.
func TestRulesNameNoQuery(t *testing.T) {
	t.Parallel()
	for _, r := range rules("objective", "en") {
		if slices.ContainsFunc(labelledQueries(t), func(q labelled) bool { return strings.EqualFold(q.query, r.what) }) {
			t.Errorf("a rule names the query %q", r.what)
		}
	}
}
