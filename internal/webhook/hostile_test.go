package webhook_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook"
)

// names is a DNS server with preset answers: for each name the addresses of one query after the other; the last is
// repeated.
type names struct {
	mu      sync.Mutex
	answers map[string][][]string
}

// servedNames makes this process resolve names with a server of the test.
func servedNames(t *testing.T, answers map[string][][]string) {
	t.Helper()

	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)

	s := &names{answers: answers}
	ended := make(chan struct{})

	go func() {
		defer close(ended)

		s.serve(conn)
	}()

	before := net.DefaultResolver
	net.DefaultResolver = resolverAt(conn.LocalAddr().String())

	t.Cleanup(func() {
		net.DefaultResolver = before
		_ = conn.Close()

		<-ended
	})
}

// resolverAt returns a resolver that uses only the given server.
func resolverAt(server string) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer

		return d.DialContext(ctx, "udp", server)
	}}
}

func (s *names) serve(conn net.PacketConn) {
	packet := make([]byte, 1<<10)

	for {
		n, from, err := conn.ReadFrom(packet)
		if err != nil {
			return
		}

		var asked dnsmessage.Message
		if asked.Unpack(packet[:n]) != nil || len(asked.Questions) == 0 {
			continue
		}

		if answer, err := s.answer(asked); err == nil {
			_, _ = conn.WriteTo(answer, from)
		}
	}
}

func (s *names) answer(asked dnsmessage.Message) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	q := asked.Questions[0]
	name := strings.TrimSuffix(strings.ToLower(q.Name.String()), ".")
	asked.Response, asked.Authoritative, asked.Additionals = true, true, nil

	turns := s.answers[name]
	if turns == nil {
		asked.RCode = dnsmessage.RCodeNameError

		return asked.Pack()
	}

	for _, text := range turns[0] {
		addr := netip.MustParseAddr(text)
		header := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}

		switch {
		case addr.Is4() && q.Type == dnsmessage.TypeA:
			asked.Answers = append(asked.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: addr.As4()}})
		case addr.Is6() && q.Type == dnsmessage.TypeAAAA:
			asked.Answers = append(asked.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: addr.As16()}})
		}
	}

	if len(turns) > 1 && q.Type == dnsmessage.TypeA {
		s.answers[name] = turns[1:]
	}

	return asked.Pack()
}

// forbidden returns addresses, in many spellings, that a user may enter for a webhook and that must never be dialed.
// For a name it returns what the name resolves to.
func forbidden() (literal []string, named map[string][][]string) {
	literal = []string{
		// This machine.
		"127.0.0.1", "127.0.0.2", "127.1.2.3", "127.255.255.255", "0.0.0.0", "0.0.0.1", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]",
		"[0000:0000:0000:0000:0000:0000:0000:0001]",
		// Private networks, and those between us and the provider.
		"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255", "100.64.0.1", "100.127.255.255",
		"192.0.0.1", "198.18.0.1", "198.19.255.255", "[fc00::1]", "[fdff:ffff::1]", "[fec0::1]",
		// Link-local addresses, with and without a zone.
		"169.254.0.1", "169.254.255.255", "[fe80::1]", "[fe80::1%25eth0]", "[fe80::1%25lo]", "[febf::ffff]",
		// Metadata services.
		"169.254.169.254", "169.254.170.2", "168.63.129.16", "100.100.100.200", "192.0.0.192", "[fd00:ec2::254]", "[fd20:ce::254]",
		// Multicast, broadcast and discard addresses.
		"224.0.0.1", "239.255.255.250", "255.255.255.255", "240.0.0.1", "[ff02::1]", "[ff05::2]", "[100::1]",
		// IPv4 inside IPv6.
		"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[::ffff:169.254.169.254]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]",
		"[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::10.0.0.1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]",
		"[2001:0:7f00:1::]", "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
		// Documentation ranges and unassigned addresses.
		"192.0.2.1", "198.51.100.1", "203.0.113.1", "[2001:db8::1]", "[3fff::1]", "[4000::1]", "[e000::1]",
	}
	named = map[string][][]string{
		// As C's resolver reads them: decimal, octal, hexadecimal, with omitted parts.
		"2130706433": {{"127.0.0.1"}}, "0x7f000001": {{"127.0.0.1"}}, "017700000001": {{"127.0.0.1"}}, "127.1": {{"127.0.0.1"}},
		"0x7f.0.0.1": {{"127.0.0.1"}}, "0177.0.0.1": {{"127.0.0.1"}}, "0x7f.1": {{"127.0.0.1"}}, "127.0.1": {{"127.0.0.1"}},
		"0xa9fea9fe": {{"169.254.169.254"}}, "2852039166": {{"169.254.169.254"}}, "0251.0376.0251.0376": {{"169.254.169.254"}}, "0": {{"0.0.0.0"}},
		"00000000000000000000177.0.0.1": {{"127.0.0.1"}},
		// Names that resolve to internal addresses.
		"localtest.example": {{"127.0.0.1"}}, "six.example": {{"::1"}}, "metadata.google.internal": {{"169.254.169.254"}},
		"mapped.example": {{"::ffff:127.0.0.1"}}, "nat.example": {{"64:ff9b::7f00:1"}}, "several.example": {{"10.0.0.1", "127.0.0.1", "fe80::1", "::1"}},
		"127.0.0.1.nip.example": {{"127.0.0.1"}}, "trailing.example.": {{"127.0.0.1"}},
	}

	return literal, named
}

// A forbidden address is refused when it is dialed, in every spelling, and nothing is reached.
func TestForbiddenAddressesAreNeverDialled(t *testing.T) { //nolint:paralleltest // it changes how the process resolves names
	literal, named := forbidden()

	var reached atomic.Int64

	url := receiver(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	_, port, err := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)

	answers := map[string][][]string{}
	hosts := literal

	for name, turns := range named {
		hosts = append(hosts, name)
		answers[strings.TrimSuffix(name, ".")] = turns
	}

	servedNames(t, answers)

	require.GreaterOrEqual(t, len(hosts), 60)

	targets := outbound.NewTargets()
	client := outbound.NewClient(targets)

	for _, host := range hosts {
		for _, scheme := range []string{"http", "https"} {
			outcome := send(t, client, request(scheme+"://"+host+":"+port+"/hook"))

			if outcome.Fault == values.AttemptErrorDNS && strings.Trim(host, "0123456789.") == "" {
				continue // Go's resolver does not query such a name
			}

			require.Equal(t, values.AttemptErrorBlocked, outcome.Fault, "%s: %v", host, outcome.Cause)
		}

		if named[host] == nil {
			require.Error(t, targets.CheckURL("https://"+host+"/"), host)
		}
	}

	// Unusual spellings of an address are also refused at registration.
	for name := range named {
		if strings.Trim(name, "0123456789abcdefx.") == "" {
			require.Error(t, targets.CheckURL("https://"+name+"/"), name)
		}
	}

	// Ports of other services, at an allowed address.
	open := outbound.NewTargets(netip.MustParsePrefix("127.0.0.0/8"))
	for _, port := range []string{"1", "22", "25", "53", "110", "143", "445", "587", "993", "1023"} {
		outcome := send(t, outbound.NewClient(open), request("http://127.0.0.1:"+port+"/"))
		require.Equal(t, values.AttemptErrorBlocked, outcome.Fault, port)
	}

	require.Zero(t, reached.Load())
	t.Logf("%d forms refused", len(hosts))
}

// A name whose address changes between two dials is checked at each dial.
func TestRebindingIsRefused(t *testing.T) { //nolint:paralleltest // it changes how the process resolves names
	var reached atomic.Int64

	socket, err := net.Listen("tcp", "127.0.0.2:0")
	require.NoError(t, err)

	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		w.Header().Set("Connection", "close")
	}))
	server.Listener = socket
	server.Start()
	t.Cleanup(server.Close)

	_, port, err := net.SplitHostPort(socket.Addr().String())
	require.NoError(t, err)
	servedNames(t, map[string][][]string{"rebind.example": {{"127.0.0.2"}, {"127.0.0.1"}}})

	client := outbound.NewClient(outbound.NewTargets(netip.MustParsePrefix("127.0.0.2/32")))

	first := send(t, client, request("http://rebind.example:"+port+"/"))
	require.Equal(t, webhook.FaultNone, first.Fault, "%v", first.Cause)

	second := send(t, client, request("http://rebind.example:"+port+"/"))
	require.Equal(t, values.AttemptErrorBlocked, second.Fault)
	require.EqualValues(t, 1, reached.Load())
}

// Redirects of a receiver are not followed.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()

	var inside atomic.Int64

	secret := receiver(t, func(http.ResponseWriter, *http.Request) { inside.Add(1) })

	for _, location := range []string{secret, "http://169.254.169.254/latest/meta-data/", "//127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1:25/"} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			url := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", location)
				w.WriteHeader(status)
			})
			outcome := send(t, loopback(t), request(url))
			require.Equal(t, values.AttemptErrorRedirect, outcome.Fault, "%d to %s", status, location)
		}
	}

	require.Zero(t, inside.Load())
}
