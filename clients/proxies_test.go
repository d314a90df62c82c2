package clients_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// uploaded is the size of the upload that is sent through each proxy. The limits that proxies have by default are far below.
var uploaded = flag.Int64("proxied", 64<<20, "bytes to upload through each proxy") //nolint:gochecknoglobals // a flag

const proxiedName = "video.example.com"

// proxy is a server behind a proxy that runs with its example of docs/examples.
type proxy struct {
	*testing.T

	base, key string
	client    *http.Client
}

// The examples of docs/examples do what docs/operations.md says: they pass on uploads while they arrive, websockets, events and
// ranges, and the host under which the server is asked.
func TestProxies(t *testing.T) {
	t.Chdir("..")

	for name, start := range map[string]func(t *testing.T, port int, server, cert, key string) *exec.Cmd{"Caddy": caddy, "nginx": nginx} { //nolint:paralleltest // the working directory is changed
		t.Run(name, func(t *testing.T) {
			p := newProxy(t, start)

			p.passesUploads()
			p.passesRanges()
			p.passesWebsockets()
			p.passesEvents()
			p.keepsCookiesSafe()
		})
	}
}

func newProxy(t *testing.T, start func(t *testing.T, port int, server, cert, key string) *exec.Cmd) *proxy {
	t.Helper()

	port := freePort(t)
	base := "https://" + proxiedName + ":" + strconv.Itoa(port)

	server, err := measure.Serve(t.Context(), t.TempDir(), "REELGRAPH_BASE_URL="+base, "REELGRAPH_TRUSTED_PROXIES=127.0.0.1")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })

	cert, key, roots := certificate(t)

	running := start(t, port, server.Addr, cert, key)
	running.Stdout, running.Stderr = t.Output(), t.Output()
	require.NoError(t, running.Start())
	t.Cleanup(func() {
		_ = running.Process.Kill()
		_ = running.Wait()
	})

	p := &proxy{T: t, base: base, key: server.Key, client: &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, "127.0.0.1:"+strconv.Itoa(port))
		},
	}}}

	require.Eventually(t, func() bool {
		answer, err := p.client.Get(base + "/healthz")

		return err == nil && answer.Body.Close() == nil && answer.StatusCode == http.StatusOK
	}, time.Minute, 20*time.Millisecond)

	return p
}

func freePort(t *testing.T) int {
	t.Helper()

	socket, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, socket.Close())

	return socket.Addr().(*net.TCPAddr).Port
}

// certificate writes a certificate for the proxies and its key.
func certificate(t *testing.T) (cert, key string, roots *x509.CertPool) {
	t.Helper()

	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)

	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour), DNSNames: []string{proxiedName}, IsCA: true,
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)

	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)

	parsed, err := x509.ParseCertificate(der)
	require.NoError(t, err)

	roots = x509.NewCertPool()
	roots.AddCert(parsed)

	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))

	return cert, key, roots
}

// example returns an example with the places of this test. Each of the replaced texts must be there.
func example(t *testing.T, name string, replaced ...string) string {
	t.Helper()

	content, err := os.ReadFile(filepath.Join("docs/examples", name))
	require.NoError(t, err)

	for i := 0; i < len(replaced); i += 2 {
		require.Contains(t, string(content), replaced[i])
	}

	return strings.NewReplacer(replaced...).Replace(string(content))
}

// program returns a proxy that scripts/install.sh has unpacked.
func program(t *testing.T, path string) string {
	t.Helper()

	path, err := filepath.Abs(filepath.Join("clients/proxies", path))
	require.NoError(t, err)
	require.FileExists(t, path, "the proxies are missing: sh scripts/install.sh clients")

	return path
}

func caddy(t *testing.T, port int, server, cert, key string) *exec.Cmd {
	t.Helper()

	dir := t.TempDir()
	path := filepath.Join(dir, "Caddyfile")
	content := "{\n\tadmin off\n\tauto_https off\n\tstorage file_system " + dir + "\n}\n" + example(t, "Caddyfile",
		"\n"+proxiedName+" {", fmt.Sprintf("\nhttps://%s:%d {\n\tbind 127.0.0.1\n\ttls %s %s", proxiedName, port, cert, key),
		"127.0.0.1:8080", server)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))

	cmd := exec.Command(program(t, "usr/bin/caddy"), "run", "--config", path, "--adapter", "caddyfile")

	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)

	return cmd
}

func nginx(t *testing.T, port int, server, cert, key string) *exec.Cmd {
	t.Helper()

	dir := t.TempDir()
	site, path := filepath.Join(dir, "site.conf"), filepath.Join(dir, "nginx.conf")

	require.NoError(t, os.WriteFile(site, []byte(example(t, "nginx.conf",
		"listen 80;", fmt.Sprintf("listen 127.0.0.1:%d;", freePort(t)), "listen 443 ", fmt.Sprintf("listen 127.0.0.1:%d ", port),
		"/etc/letsencrypt/live/video.example.com/fullchain.pem", cert, "/etc/letsencrypt/live/video.example.com/privkey.pem", key,
		"127.0.0.1:8080", server)), 0o600))

	var folders strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&folders, "\t%s_temp_path %s;\n", kind, filepath.Join(dir, kind))
	}

	user := ""
	if os.Getuid() == 0 {
		user = "user root;\n"
	}

	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil,
		"%sdaemon off;\nmaster_process off;\npid %s/pid;\nerror_log stderr;\nevents {}\nhttp {\n\taccess_log off;\n%s\tinclude %s;\n}\n",
		user, dir, folders.String(), site), 0o600))

	return exec.Command(program(t, "usr/sbin/nginx"), "-p", dir, "-c", path)
}

// answer is what a request got, whole.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// request returns a request with the key.
func (p *proxy) request(method, address string, body io.Reader, headers ...string) *http.Request {
	p.Helper()

	r, err := http.NewRequestWithContext(p.Context(), method, address, body)
	require.NoError(p, err)
	r.Header.Set("Authorization", "Bearer "+p.key)

	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}

	return r
}

// ask sends a request with the key.
func (p *proxy) ask(method, address string, body io.Reader, headers ...string) (answer, error) {
	p.Helper()

	got, err := p.client.Do(p.request(method, address, body, headers...))
	if err != nil {
		return answer{}, err
	}
	defer got.Body.Close()

	content, err := io.ReadAll(got.Body)

	return answer{got.StatusCode, got.Header, content}, err
}

// read returns the answer to a request that succeeds.
func (p *proxy) read(method, address, body string, to any, headers ...string) http.Header {
	p.Helper()

	got, err := p.ask(method, address, strings.NewReader(body), append([]string{"Content-Type", "application/json"}, headers...)...)
	require.NoError(p, err)
	require.Less(p, got.status, 300, "%s", got.body)

	if to != nil {
		require.NoError(p, json.Unmarshal(got.body, to), "%s", got.body)
	}

	return got.header
}

// failing sends a part of a body, and then the connection breaks.
type failing struct{ io.Reader }

var errBroken = errors.New("the connection breaks")

func (f failing) Read(b []byte) (int, error) {
	n, err := f.Reader.Read(b)
	if errors.Is(err, io.EOF) {
		err = errBroken
	}

	return n, err
}

// zeros is an endless body.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// passesUploads: what arrived before a break is kept, so it was not collected by the proxy, and the rest may have any size.
func (p *proxy) passesUploads() {
	p.Helper()

	created := p.read(http.MethodPost, p.base+"/uploads", "", nil,
		"Tus-Resumable", "1.0.0", "Upload-Length", strconv.FormatInt(*uploaded, 10), "Content-Type", "application/offset+octet-stream")
	location := created.Get("Location")
	require.Contains(p, location, p.base+"/uploads/")

	const first = 8 << 20

	patch := func(offset int64, body io.Reader) (answer, error) {
		return p.ask(http.MethodPatch, location, body, "Tus-Resumable", "1.0.0", "Upload-Offset", strconv.FormatInt(offset, 10),
			"Content-Type", "application/offset+octet-stream")
	}

	_, err := patch(0, failing{io.LimitReader(zeros{}, first)})
	require.ErrorIs(p, err, errBroken)

	offset := func() int64 {
		said := p.read(http.MethodHead, location, "", nil, "Tus-Resumable", "1.0.0")
		at, err := strconv.ParseInt(said.Get("Upload-Offset"), 10, 64)
		require.NoError(p, err)

		return at
	}

	require.Eventually(p, func() bool { return offset() > 0 }, time.Minute, 50*time.Millisecond)

	began := time.Now()

	for at := offset(); at < *uploaded; at = offset() {
		got, err := patch(at, io.LimitReader(zeros{}, min(*uploaded-at, 1<<30)))
		require.NoError(p, err)

		// A conflict means that the proxy was still sending what came before the break.
		require.Contains(p, []int{http.StatusNoContent, http.StatusConflict}, got.status)
	}

	p.Logf("%d MiB uploaded in %s", *uploaded>>20, time.Since(began).Round(time.Millisecond))
}

func (p *proxy) passesRanges() {
	p.Helper()

	var made struct{ UploadURL, SourceID string }

	p.read(http.MethodPost, p.base+"/v1/sources", `{"name":"picture.png","kind":"image"}`, &made)

	picture, err := os.ReadFile("docs/pictures/page.png")
	require.NoError(p, err)

	got, err := p.ask(http.MethodPut, made.UploadURL, strings.NewReader(string(picture)))
	require.NoError(p, err)
	require.Equal(p, http.StatusOK, got.status, "%s", got.body)

	var kept struct{ Item struct{ URL string } }

	p.read(http.MethodPost, p.base+"/v1/library", fmt.Sprintf(`{"sourceId":%q,"type":"image"}`, made.SourceID), &kept)

	got, err = p.ask(http.MethodGet, kept.Item.URL, http.NoBody, "Range", "bytes=100-199")
	require.NoError(p, err)
	require.Equal(p, http.StatusPartialContent, got.status)
	require.Equal(p, picture[100:200], got.body)
}

// endpoint registers a webhook whose every delivery fails at once.
func (p *proxy) endpoint() (id string) {
	p.Helper()

	var made struct {
		Data struct {
			CreateWebhookEndpoint struct{ Endpoint struct{ ID string } }
		}
	}

	p.read(http.MethodPost, p.base+"/graphql", `{"query":"mutation { createWebhookEndpoint(input: {url: \"https://nowhere.invalid/\",`+
		` filterTypes: [VIDEO_CREATED]}) { endpoint { id } } }"}`, &made)
	require.NotEmpty(p, made.Data.CreateWebhookEndpoint.Endpoint.ID)

	return made.Data.CreateWebhookEndpoint.Endpoint.ID
}

// deliver sends a sample event to an endpoint.
func (p *proxy) deliver(endpoint string) {
	p.Helper()

	var sent struct{ Errors []any }

	p.read(http.MethodPost, p.base+"/graphql", fmt.Sprintf(
		`{"query":"mutation { testWebhookEndpoint(id: \"%s\", input: {type: VIDEO_CREATED}) { message { id } } }"}`, endpoint), &sent)
	require.Empty(p, sent.Errors)
}

// attempts subscribes to the deliveries to an endpoint.
func attempts(endpoint string) map[string]any {
	return map[string]any{"query": fmt.Sprintf(`subscription { webhookAttempts(endpointId: "%s") { error } }`, endpoint)}
}

func (p *proxy) passesWebsockets() {
	p.Helper()

	ctx, cancel := context.WithTimeout(p.Context(), time.Minute)
	defer cancel()

	c, _, err := websocket.Dial(ctx, p.base+"/graphql", &websocket.DialOptions{ //nolint:bodyclose // there is none
		HTTPClient: p.client, Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"Authorization": {"Bearer " + p.key}},
	})
	require.NoError(p, err)

	defer c.CloseNow()

	endpoint := p.endpoint()
	said := map[string]any{}

	require.NoError(p, wsjson.Write(ctx, c, map[string]any{"type": "connection_init"}))
	require.NoError(p, wsjson.Read(ctx, c, &said))
	require.Equal(p, "connection_ack", said["type"])
	require.NoError(p, wsjson.Write(ctx, c, map[string]any{"id": "1", "type": "subscribe", "payload": attempts(endpoint)}))

	// The answer to a ping tells that the subscription before it has begun.
	require.NoError(p, wsjson.Write(ctx, c, map[string]any{"type": "ping"}))
	require.NoError(p, wsjson.Read(ctx, c, &said))
	require.Equal(p, "pong", said["type"])
	p.deliver(endpoint)
	require.NoError(p, wsjson.Read(ctx, c, &said))
	require.Equal(p, "next", said["type"], "%v", said)
}

// passesEvents: server-sent events arrive while the stream is open.
func (p *proxy) passesEvents() {
	p.Helper()

	endpoint := p.endpoint()
	body, err := json.Marshal(attempts(endpoint))
	require.NoError(p, err)

	stream, err := p.client.Do(p.request(http.MethodPost, p.base+"/graphql", strings.NewReader(string(body)),
		"Content-Type", "application/json", "Accept", "text/event-stream"))
	require.NoError(p, err)

	defer stream.Body.Close()

	p.deliver(endpoint)

	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), `"error":"DNS"`) {
			return
		}
	}

	require.Fail(p, "the stream ended without the delivery")
}

// keepsCookiesSafe: the server sees the host that browsers use, so that its own pages are its own.
func (p *proxy) keepsCookiesSafe() {
	p.Helper()

	got, err := p.ask(http.MethodPost, p.base+"/graphql",
		strings.NewReader(`{"query":"mutation { signIn(input: {email: \"a@b.example\", password: \"wrong\"}) { session { id } } }"}`),
		"Content-Type", "application/json", "Origin", p.base)
	require.NoError(p, err)

	require.NotContains(p, string(got.body), "another site", "the page is taken for one of another site")
	require.Equal(p, "max-age=31536000", got.header.Get("Strict-Transport-Security"))
}
