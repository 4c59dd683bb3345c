package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// call runs the command line inside the test.
func call(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = Main(context.Background(), args, &o, &e)
	return code, o.String(), e.String()
}

// TestCommands goes through an operator's day, in order.
func TestCommands(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "d")
	shareCache(t, folder)
	data := "--data=" + folder
	csv := filepath.Join(t.TempDir(), "bad.csv")
	os.WriteFile(csv, []byte("account_id,time_period_start,time_period_end,topic,oddity\n7,2026-01-11,2026-01-17,a,x\n7,2026-01-12,2026-01-17,b,x\n"), 0o600)
	notes := filepath.Join(t.TempDir(), "notes.md")
	os.WriteFile(notes, []byte("# Ünits and cups"), 0o600)
	for i, c := range []struct {
		args string
		code int
		want string // a pattern of what is printed
	}{
		{"--help", 0, `(?s)Usage: contentgraph.*--listen.*serve.*demo.*migrate.*import.*token.*sign`},
		{"", 2, `expected one of`},
		{"fly", 2, `unexpected argument fly.*\nRun .contentgraph --help`},
		{"serve --listen=nowhere", 2, `--listen: "nowhere" is not HOST:PORT`},
		{"serve --page-rows=1500 --workers=0 --rate-limits=fast", 2, `(?s)--page-rows must be.*--workers must be.*rate limits: "fast"`},
		{"demo --listen=0.0.0.0:0", 1, `loopback address only`},
		{"migrate --database-url=mysql://x", 1, `must begin with postgres://`},
		{"migrate", 0, `at this version's schema`},
		{"account create --id=7 --name=Seven", 0, `Account 7: Seven`},
		{"account create --id=7 --name=Other --json", 0, `{"id":7,"name":"Seven"}`},
		{"account create --id=0 --name=Zero", 1, `id`},
		{"account list", 0, `(?s)ID +NAME\n7 +Seven`},
		{"user create --name=ada --account=8 --scopes=data,fly", 1, `(?s)scopes.*accounts`},
		{"user create --name=ada --account=7 --scopes=content:read,data", 0, `^1\n$`},
		{"user create --name=ada --account=7 --scopes=data", 1, `name`},
		{"user list --json", 0, `"accounts":\[7\],"id":1,"name":"ada","scopes":\["content:read","data"\]`},
		{"token create --user=nobody", 1, `not found`},
		{"token create --user=ada --expires=soon", 1, `expires`},
		{"token create --user=ada --expires=90d", 0, `^cg_[0-9A-Za-z]{40}\n$`},
		{"token create --user=1 --json", 0, `^{"token":"cg_[0-9A-Za-z]{40}"}\n$`},
		{"token list --user=ada", 0, `(?s)ID +USER.*\.\.\.`},
		{"key create --user=ada --json", 0, `^{"apiKey":"ck_\w+","secret":"\w{40}"}\n$`},
		{"key list --json", 0, `"apiKey":"ck_`},
		{"key revoke nonsense", 1, `not an id`},
		{"key revoke 00000000-0000-4000-8000-000000000000", 1, `not found`},
		{"import keyword_ranks " + csv, 2, `must be one of`},
		{"import keyword_rankings missing.csv", 2, `missing.csv`},
		{"import ai_search_citations --strict " + csv, 1, `line 3`},
		{"import ai_search_citations " + csv, 0, `(?s)1 rows imported into ai_search_citations of account 7\..*oddity.*1 lines rejected, see .*bad.csv.rejected.*line 3: `},
		{"import ai_search_citations " + csv, 0, `these bytes are current already`},
		{"prune", 2, `--before`},
		{"prune --before=2999-01-01", 1, `must not be after today`},
		{"prune --before=yesterday", 1, `must be a date that exists`},
		{"prune --help", 0, `(?s)dropped as a partition.*--dry-run`},
		{"prune --before=2026-01-18", 0, `(?s)ai_search_citations +1 +1 +1 +0\n`},
		{"import ai_search_citations " + csv, 0, `1 rows imported`},
		{"extract " + notes, 0, `(?s)^Ünits and cups\nmd, 14 characters in \d+ ms; utf-8\n$`},
		{"extract --json " + notes, 0, `^{"type":"md","text":"Ünits and cups","cut":false,"charset":"utf-8","ms":\d+}\n$`},
		{"extract " + csv + ".rejected", 1, `\.pdf`},
		{"extract missing.pdf", 2, `missing.pdf`},
		{"serve --blob-url=ftp://x", 2, `--blob-url: "ftp://x" is not s3://`},
		{"serve --max-upload=5", 2, `--max-upload must be at least 1024`},
		{"sign --api-key=ck_1 --secret=s", 0, `^[0-9a-f]{32}\n$`},
		{"sign --api-key=ck_1 --secret=s ftp", 1, `not a whole URL`},
		{"sign --api-key=ck_1 --secret=s --curl", 1, `needs the URL`},
		{"sign --api-key=ck_1 --secret=s http://h/v4/x?limit=3", 0, `^http://h/v4/x\?apiKey=ck_1&limit=3&sig=[0-9a-f]{32}\n$`},
		{"sign --api-key=ck_1 --secret=s --curl --body={} http://h/data-api/v1/async/keyword_rankings", 0, `^curl -sS '.*' -H 'X-API-GATEWAY-KEY: ck_1' .* -d '{}'`},
		{"sign --api-key=ck_1 --secret=s ftp://h/x", 1, `not a whole URL`},
		{"routes", 0, `(?m)^POST /data-api/v1/async/keyword_rankings$`},
	} {
		code, out, errOut := call(t, append([]string{data}, strings.Fields(c.args)...)...)
		if code != c.code || !regexp.MustCompile(c.want).MatchString(out+errOut) {
			t.Errorf("%d: contentgraph %s\nexit %d, want %d and %s, printed:\n%s%s", i, c.args, code, c.code, c.want, out, errOut)
		}
	}
	if text, _ := os.ReadFile(csv + ".rejected"); !strings.Contains(string(text), "7,2026-01-12,2026-01-17,b") {
		t.Errorf("the rejected line is kept as %q", text)
	}
}

// TestRevoked tokens and keys are refused, everything else of the user works on.
func TestRevoked(t *testing.T) {
	t.Parallel()
	in := install(t, "")
	a := in.user("7")
	s := in.serve()
	drafts := func() int {
		status, _ := s.call("GET", "/v4/accounts/7/drafts", "", "Authorization", "Bearer "+a.token)
		return status
	}
	if drafts() != 200 {
		t.Fatal("a fresh token is refused")
	}
	var list struct{ Credentials []struct{ ID string } }
	in.json(&list, "token", "list")
	in.run("token", "revoke", list.Credentials[0].ID)
	in.until("the refusal", func() bool { return drafts() == 401 }) // 5 s on other processes
	sum := md5.Sum(fmt.Appendf(nil, "%s%s%d", a.key, a.secret, time.Now().Unix()))
	if status, body := s.call("GET", "/v4/accounts/7/drafts?apiKey="+a.key+"&sig="+hex.EncodeToString(sum[:]), ""); status != 200 {
		t.Errorf("the key is refused: %s", body)
	}
}

// TestDemo starts the demonstration and runs the printed lines as they stand.
func TestDemo(t *testing.T) {
	t.Parallel()
	in := install(t, "")
	cmd := in.command("demo")
	out := new(lockedBuffer)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{in: in, cmd: cmd}
	t.Cleanup(s.kill)
	in.until("serving", func() bool { return serving.MatchString(out.String()) })
	var answers []string
	for _, line := range regexp.MustCompile(`(?m)^curl .*$`).FindAllString(out.String(), -1) {
		sh := in.shell(line)
		answer, err := sh.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, answer)
		}
		answers = append(answers, string(answer))
	}
	if len(answers) != 3 {
		t.Fatalf("%d curl lines are printed:\n%s", len(answers), out)
	}
	var list struct {
		Data       []struct{ DraftTitle string }
		Pagination struct{ Total int }
	}
	if err := json.Unmarshal([]byte(answers[0]), &list); err != nil || list.Pagination.Total != 10 || len(list.Data) != 3 {
		t.Errorf("drafts: %s", answers[0])
	}
	for i, want := range []string{`"executionState":"IN_PROGRESS"`, `"executionState":"`} {
		if !strings.Contains(answers[i+1], want) {
			t.Errorf("answer %d: %s", i+1, answers[i+1])
		}
	}
}
