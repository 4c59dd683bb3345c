package rest

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

const sources = "/v4/accounts/101/knowledge-sources"

// part is a part of a form: its name and whatever else is in its header.
type part struct{ header, content string }

// file is the part of a file; the name is as it stands in the header.
func file(name, content string) part { return part{`name="file"; filename="` + name + `"`, content} }

// formOf is the body of a form, as a scenario writes it.
func formOf(parts ...part) string {
	var b strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&b, "--cut\r\nContent-Disposition: form-data; %s\r\n\r\n%s\r\n", p.header, p.content)
	}
	return b.String() + "--cut--\r\n"
}

var asForm = map[string]string{"Content-Type": "multipart/form-data; boundary=cut"}

// upload is the scenario of sending a form.
func upload(status int, has string, parts ...part) scenario {
	return scenario{call: "POST " + sources, as: writer, headers: asForm, body: formOf(parts...), status: status, has: []string{has}}
}

func TestKnowledgeText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made := w.do(t, scenario{call: "POST " + sources, as: writer, body: `{'kind':'TEXT','text':' Pots.\n','fileName':'About pots','unknown':1}`, status: 201,
		has:   []string{`{'id':'`, `'kind':'TEXT','fileName':'About pots','text':' Pots.\n','status':'EXTRACTED','statusReason':null,'createdBy':{'id':1},'created':'20`, `+00:00','account':{'id':101}}`},
		sends: map[string]string{"Location": "*"}})
	w.run(t, []scenario{
		{call: "GET " + made.Header.Get("Location"), as: reader, status: 200, has: []string{strings.TrimSpace(made.body)}},
		{call: "POST " + sources, as: writer, body: `{'kind':'TEXT','text':'Cups.'}`, status: 201, has: []string{`'fileName':null,'text':'Cups.'`}},
		{call: "POST " + sources, as: writer, body: `{}`, status: 400, has: []string{"kind: is required; text: is required", `'status':400,'error':'Bad Request'`, `'path':'` + sources + `'}`}},
		{call: "POST " + sources, as: writer, body: `{'kind':'FILE','text':'x'}`, status: 400, has: []string{"kind: must be one of TEXT"}},
		{call: "POST " + sources, as: writer, body: `{'kind':'TEXT','text':' \n'}`, status: 400, has: []string{"text: must not be blank"}},
		{call: "POST " + sources, as: writer, body: `{'kind':'TEXT','text':7}`, status: 400, has: []string{"text: must be a string"}},
		{call: "POST " + sources, as: writer, body: `{'kind':'TEXT','text':'x','fileName':''}`, status: 400, has: []string{"fileName: must not be blank"}},
		{call: "POST " + sources, as: writer, body: `[`, status: 400},
		{call: "POST " + sources, as: writer, body: `{'kind':'TEXT','text':'` + strings.Repeat("x", 2<<20) + `'}`, status: 413},
		{call: "POST " + sources, as: writer, body: `text`, headers: map[string]string{"Content-Type": "text/plain"}, status: 415},
		{call: "POST " + sources, as: reader, body: `{'kind':'TEXT','text':'x'}`, status: 403, has: []string{`'error':'Forbidden'`, "content:write"}},
		{call: "POST " + sources, as: foreign, body: `{'kind':'TEXT','text':'x'}`, status: 403, has: []string{"no access to account 101", `'timestamp':'`}},
		{call: "POST " + sources, body: `{'kind':'TEXT','text':'x'}`, status: 401, has: []string{`{'code':'MISSING_CREDENTIALS','message':'`}},
		{call: "POST " + sources + "?apiKey=x&sig=y", body: `{'kind':'TEXT','text':'x'}`, status: 401, has: []string{`{'code':'INVALID_SIGNATURE','message':'`}},
		{call: "POST " + sources, signed: writer, body: `{'kind':'TEXT','text':'x'}`, status: 201},
	})
}

// TestKnowledgeFile sends forms, good ones and every kind of bad one.
func TestKnowledgeFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *Options) { o.MaxUpload = 4096 })
	w.names["{q}"] = "'"
	others := upload(200, `'fileName':'a.txt'`, file("a.txt", "Pots."), part{`name="other"`, "ignored"}, part{`name="another"; filename="x.exe"`, "ignored"})
	others.loose = true
	long := strings.Repeat("x", 4097)
	w.run(t, []scenario{
		upload(200, `'kind':'FILE','fileName':'pots.txt','text':'Pots and cups.','status':'EXTRACTED','statusReason':null,'createdBy':{'id':1}`, file("pots.txt", "Pots and cups.")),
		upload(200, `'fileName':'cups.md','text':'Pots and cups.'`, file("pots.txt", "Pots and cups."), part{`name="fileName"`, "cups.md"}),
		upload(200, `'fileName':'b.CSV'`, part{`name="fileName"`, "b.CSV"}, part{`name="file"`, "a,b"}),
		upload(200, `'fileName':'pots.txt'`, file(`C:\\my files\\pots.txt`, "Pots.")),
		upload(200, `'fileName':'pots.txt'`, file("../../etc/pots.txt", "Pots.")),
		upload(200, `'fileName':'größe €.txt'`, file("größe €.txt", "Pots.")),
		upload(200, `'fileName':'größe.txt'`, part{`name="file"; filename*=UTF-8{q}{q}gr%C3%B6%C3%9Fe.txt`, "Pots."}),
		others,
		upload(200, `'text':'`+strings.Repeat("y", 4096)+`'`, file("a.txt", strings.Repeat("y", 4096))),

		upload(400, "file: is required", part{`name="fileName"`, "a.txt"}),
		upload(400, "file: is required"),
		upload(400, "file: must be sent once", file("a.txt", "a"), file("b.txt", "b")),
		upload(400, "kind: must not be sent with a file; text: must not be sent", file("a.txt", "a"), part{`name="kind"`, "FILE"}, part{`name="text"`, "x"}),
		upload(400, "kind: must not be sent with a file; file: is required", part{`name="kind"`, "TEXT"}),
		upload(400, "file: must not be empty", file("a.txt", "")),
		upload(400, "file: must have a file name", file("", "a")),
		upload(400, "file: must have a file name", part{`name="file"`, "a"}),
		upload(400, "file: must have a file name before its extension", file(".txt", "a")),
		upload(400, "file: must have one of the extensions .pdf, .txt", file("a.exe", "a")),
		upload(400, "file: must have one of the extensions", file("pdf", "a")),
		upload(400, "fileName: must have one of the extensions", file("a.txt", "a"), part{`name="fileName"`, "a.exe"}),
		upload(400, "fileName: must not be blank", file("a.txt", "a"), part{`name="fileName"`, ""}),
		upload(400, "file: the name must not contain control characters", part{`name="file"; filename*=UTF-8{q}{q}a%00.txt`, "a"}),
		upload(400, "file: the name must not contain control characters", file("a\u202etxt.exe.txt", "a")),
		upload(400, "file: the name must have at most 255 bytes", file(strings.Repeat("ä", 126)+".txt", "a")),
		upload(400, "file: ", file("a.txt", "%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF")),
		upload(400, "file: must be sent in at most 20 parts", append(manyParts(20), file("a.txt", "a"))...),
		upload(413, "the file must have at most 4096 bytes", file("a.txt", long)),
		upload(413, "the file must have at most 4096 bytes", part{`name="kind"`, "TEXT"}, file("a.exe", long)),
		upload(413, "the file must have at most 4096 bytes", file("", "a"), part{`name="other"`, strings.Repeat("x", 2<<20)}),
		upload(500, `'status':500,'error':'Internal Server Error','message':'Reading the file took too much memory.'`, file("bomb.pdf", "x")),

		{call: "POST " + sources, as: writer, headers: asForm, body: "--cut\r\n", status: 400},
		{call: "POST " + sources, as: writer, headers: asForm, body: formOf(file("a.txt", "a"))[:80], status: 400, has: []string{"the form could not be read to its end"}},
		{call: "POST " + sources, as: writer, headers: asForm, body: "no form", status: 400},
		{call: "POST " + sources, as: writer, headers: map[string]string{"Content-Type": "multipart/form-data"}, body: formOf(file("a.txt", "a")), status: 400, has: []string{"must have a boundary"}},
		{call: "POST " + sources, as: writer, headers: map[string]string{"Content-Type": asForm["Content-Type"], "Content-Encoding": "gzip"}, body: formOf(file("a.txt", "a")), status: 415},
		{call: "POST " + sources, as: reader, headers: asForm, body: formOf(file("a.exe", long)), status: 403},
		{call: "POST " + sources, headers: asForm, body: formOf(file("a.exe", long)), status: 401},
		{call: "GET " + sources + "?status=ERROR", as: reader, status: 200, has: []string{`'fileName':'bomb.pdf','text':null,'status':'ERROR','statusReason':'Reading the file took too much memory.'`, `'total':1`}},
		{call: "GET " + sources, as: reader, status: 200, has: []string{`'total':11,`}, lacks: []string{".exe"}},
	})
}

func manyParts(n int) (list []part) {
	for i := range n {
		list = append(list, part{fmt.Sprintf(`name="p%d"`, i), "x"})
	}
	return list
}

func TestKnowledgeLife(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one := sources + "/{knowledge}"
	w.run(t, []scenario{
		{call: "GET " + one, as: reader, status: 200, has: []string{`'text':'known to 101 alone'`}},
		{call: "HEAD " + one, as: reader, status: 200},
		{call: "GET " + sources + "?limit=1&kind=TEXT&status=EXTRACTED,ERROR&status=STORED", as: reader, status: 200, loose: true,
			has: []string{`'text':null,'status':'EXTRACTED'`, `'pagination':{'total':1,'offset':0,'limit':1,'hasMore':false}`}, lacks: []string{"'text':'known"}},
		{call: "GET " + sources + "?kind=FILE", as: reader, status: 200, has: []string{`{'data':[],`}},
		{call: "GET " + sources + "?kind=BOOK", as: reader, status: 400, has: []string{"kind: must be one of FILE, TEXT"}},
		{call: "GET " + sources + "?status=DONE", as: reader, status: 400, has: []string{"status: must be one of PENDING_UPLOAD, STORED"}},
		{call: "GET " + sources + "?limit=101&offset=-1", as: reader, status: 400, has: []string{"limit", "offset"}},
		{call: "GET " + sources, as: scribe, status: 403},
		{call: "GET " + one, as: scribe, status: 403},
		{call: "GET " + sources + "/12", as: reader, status: 400, has: []string{"knowledgeSourceId: must be a UUID"}},
		{call: "GET " + sources + "/{nothing}", as: reader, status: 404, has: []string{"knowledge source not found"}},
		{call: "GET " + sources + "/{theirKnowledge}", as: reader, status: 404},
		{call: "POST " + one + "/retry", as: writer, status: 409, has: []string{"only a source whose status is ERROR", `'error':'Conflict'`}},
		{call: "POST " + one + "/retry", as: reader, status: 403},
		{call: "POST " + sources + "/{nothing}/retry", as: writer, status: 404},
		{call: "PUT " + one, as: writer, body: "{}", status: 405, sends: map[string]string{"Allow": "GET, HEAD, DELETE"}},
		{call: "DELETE " + one, as: reader, status: 403},
		{call: "DELETE " + one, as: writer, status: 204},
		{call: "DELETE " + one, as: writer, status: 404},
		{call: "GET " + one, as: writer, status: 404},
		upload(500, "too much memory", file("bomb.pdf", "x")),
	})
	bomb := between(t, w.do(t, scenario{call: "GET " + sources, as: reader, status: 200}).body, `"id":"`, `"`)
	w.do(t, scenario{call: "POST " + sources + "/" + bomb + "/retry", as: writer, status: 202, has: []string{`'status':'STORED','statusReason':null`}})
	w.until(t, "reading again", func() bool {
		return strings.Contains(w.do(t, scenario{call: "GET " + sources + "/" + bomb, as: reader, status: 200}).body, `"status":"ERROR"`)
	})
	w.do(t, scenario{call: "DELETE " + sources + "/" + bomb, as: writer, status: 204})
	w.until(t, "forgetting", func() bool {
		left, err := os.ReadDir(w.files + "/101")
		return err == nil && len(left) == 0
	})
}

// TestKnowledgeSlow: after two seconds a file is answered as it is.
func TestKnowledgeSlow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	began := time.Now()
	s := upload(200, `'text':null,'status':'STORED','statusReason':null`, file("slow.txt", "Slow."))
	id := between(t, w.do(t, s).body, `"id":"`, `"`)
	if took := time.Since(began); took < 1900*time.Millisecond || took > time.Minute {
		t.Errorf("answered after %v", took)
	}
	close(w.slow)
	w.until(t, "reading", func() bool {
		return strings.Contains(w.do(t, scenario{call: "GET " + sources + "/" + id, as: reader, status: 200}).body, `"text":"Slow."`)
	})
}

// TestKnowledgeStream sends a file as large as may be without its being in memory.
func TestKnowledgeStream(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const size = 25 << 20
	head := "--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"bomb.txt\"\r\n\r\n"
	body := io.MultiReader(strings.NewReader(head), io.LimitReader(letters{}, size), strings.NewReader("\r\n--cut--\r\n"))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.URL+sources, body)
	check(t, err)
	r.Header.Set("Content-Type", asForm["Content-Type"])
	r.Header.Set("Authorization", "Bearer "+w.users[writer].token)
	answer, err := http.DefaultClient.Do(r)
	check(t, err)
	text, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	if answer.StatusCode != 500 || !strings.Contains(string(text), "too much memory") { // the reader's, not ours
		t.Fatalf("%d %s", answer.StatusCode, text)
	}
	files, err := os.ReadDir(w.files + "/101")
	check(t, err)
	info, err := files[0].Info()
	if err != nil || info.Size() != size {
		t.Errorf("%d bytes are kept, %v", info.Size(), err)
	}
}

// letters are without end.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// between is what is between two texts, at their first place.
func between(t *testing.T, text, before, after string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, before)
	found, _, ends := strings.Cut(rest, after)
	if !ok || !ends {
		t.Fatalf("%s is not in %s", before, text)
	}
	return found
}

// until waits for what jobs bring about.
func (w *world) until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s did not happen", what)
}
