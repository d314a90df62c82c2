package webhook_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/platform/outbound"
)

func TestCheckAddress(t *testing.T) {
	t.Parallel()

	for address, reason := range map[string]string{
		"8.8.8.8:443":                   "",
		"1.1.1.1:80":                    "",
		"93.184.216.34:8443":            "",
		"[2606:4700::1111]:443":         "",
		"[2a00:1450:4001::200e]:65535":  "",
		"8.8.8.8:22":                    "port",
		"8.8.8.8:0":                     "port",
		"8.8.8.8:1023":                  "port",
		"0.0.0.0:80":                    "this network",
		"0.1.2.3:80":                    "this network",
		"10.0.0.1:80":                   "private",
		"100.64.0.1:80":                 "carrier-grade NAT",
		"100.127.255.255:80":            "carrier-grade NAT",
		"100.100.100.200:80":            "metadata",
		"127.0.0.1:80":                  "loopback",
		"127.255.255.254:80":            "loopback",
		"168.63.129.16:80":              "metadata",
		"169.254.169.254:80":            "metadata",
		"169.254.170.2:80":              "link-local",
		"172.16.0.1:80":                 "private",
		"172.31.255.255:80":             "private",
		"192.0.0.8:80":                  "protocol assignments",
		"192.0.0.192:80":                "metadata",
		"192.0.2.1:80":                  "documentation",
		"192.88.99.1:80":                "6to4 relay",
		"192.168.1.1:80":                "private",
		"198.18.0.1:80":                 "benchmarking",
		"198.19.255.255:80":             "benchmarking",
		"198.51.100.1:80":               "documentation",
		"203.0.113.1:80":                "documentation",
		"224.0.0.1:80":                  "multicast",
		"239.255.255.255:80":            "multicast",
		"240.0.0.1:80":                  "reserved",
		"255.255.255.255:80":            "reserved",
		"[::]:80":                       "unspecified",
		"[::1]:80":                      "loopback",
		"[::7f00:1]:80":                 "IPv4-compatible",
		"[::ffff:127.0.0.1]:80":         "IPv4-mapped",
		"[::ffff:8.8.8.8]:80":           "IPv4-mapped",
		"[::ffff:0:10.0.0.1]:80":        "IPv4-translated",
		"[64:ff9b::7f00:1]:80":          "NAT64",
		"[64:ff9b::808:808]:80":         "NAT64",
		"[64:ff9b:1::a00:1]:80":         "NAT64",
		"[100::1]:80":                   "discard",
		"[2001:0:4136:e378:8000::1]:80": "Teredo",
		"[2001:2::1]:80":                "protocol assignments",
		"[2001:db8::1]:80":              "documentation",
		"[2002:7f00:1::1]:80":           "6to4",
		"[3fff::1]:80":                  "documentation",
		"[fc00::1]:80":                  "unique local",
		"[fd12:3456::1]:80":             "unique local",
		"[fd00:ec2::254]:80":            "metadata",
		"[fe80::1]:80":                  "link-local",
		"[fe80::1%eth0]:80":             "link-local",
		"[febf::1]:80":                  "link-local",
		"[fec0::1]:80":                  "site-local",
		"[ff02::1]:80":                  "multicast",
		"[4000::1]:80":                  "reserved",
		"[1000::1]:80":                  "reserved",
		"[e000::1]:80":                  "reserved",
		"[5f00::1]:80":                  "reserved",
	} {
		err := outbound.NewTargets().CheckAddress(netip.MustParseAddrPort(address))
		if reason == "" {
			require.NoError(t, err, address)

			continue
		}

		var blocked *outbound.BlockedError
		require.ErrorAs(t, err, &blocked, address)
		require.Equal(t, reason, blocked.Reason, address)
	}
}

func TestCheckAddressRefusesWhateverIsNotGlobal(t *testing.T) {
	t.Parallel()

	targets := outbound.NewTargets()
	global := netip.MustParsePrefix("2000::/3")

	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{4, 16}).Draw(t, "size")
		addr, _ := netip.AddrFromSlice(rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "bytes"))

		err := targets.CheckAddress(netip.AddrPortFrom(addr, 443))
		if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.IsLinkLocalUnicast() || addr.Is6() && !global.Contains(addr) {
			require.Error(t, err, addr.String())
		}
	})
}

func TestOpenedRanges(t *testing.T) {
	t.Parallel()

	targets := outbound.NewTargets(netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("fd00::/8"))
	for address, allowed := range map[string]bool{
		"127.0.0.1:8080":          true,
		"127.9.9.9:80":            true,
		"127.0.0.1:22":            false, // the port rule also applies to allowed ranges
		"[fd12::1]:443":           true,
		"10.0.0.1:80":             false,
		"[::ffff:127.0.0.1]:8080": false,
		"[::1]:8080":              false,
	} {
		err := targets.CheckAddress(netip.MustParseAddrPort(address))
		require.Equal(t, allowed, err == nil, "%s: %v", address, err)
	}
}

func TestCheckURL(t *testing.T) {
	t.Parallel()

	targets := outbound.NewTargets()
	for _, raw := range []string{
		"https://example.com",
		"http://example.com/hook?x=1#part",
		"HTTPS://Example.COM:8443/hook",
		"https://example.com./hook",
		"https://8.8.8.8/hook",
		"https://[2606:4700::1111]:8443/hook",
		"https://xn--bcher-kva.example/",
		"https://_dmarc.example.com/",
		"https://internal/hook",
		"https://1password.com/",
		"https://1.example/",
		"https://example.com/" + strings.Repeat("x", 2048-len("https://example.com/")),
	} {
		require.NoError(t, targets.CheckURL(raw), raw)
	}

	for _, raw := range []string{
		"", "example.com", "//example.com", "ftp://example.com", "file:///etc/passwd", "https:", "https://", "https://:443/",
		"https:example.com", "https:/example.com", "javascript:alert(1)",
		"https://user@example.com", "https://user:pass@example.com", "https://@example.com",
		"https://example.com:", "https://example.com:0", "https://example.com:65536", "https://example.com:http",
		"https://exam ple.com", "https://example.com\\@127.0.0.1", "https://example..com", "https://.", "https://bücher.example",
		"https://" + strings.Repeat("a", 64) + ".example", "https://" + strings.Repeat("a.", 126) + "example",
		"https://example.com/\x00", " https://example.com", "https://example.com/\n",
		"https://example.com/" + strings.Repeat("x", 2049-len("https://example.com/")),
		"https://[fe80::1%25eth0]/",
		// Spellings of an address that only some resolvers accept.
		"http://2130706433/", "http://017700000001/", "http://0x7f000001/", "http://0x7f.0.0.1/", "http://0x7F.1/",
		"http://0177.0.0.1/", "http://127.1/", "http://127.0.1/", "http://127.0.0.1./", "http://127.0.0.01/", "http://0/", "http://0x/",
		"http://8.8.8.8.8/", "http://127.0.0.0x1/", "http://1.2.3.256/", "http://127%2e0%2e0%2e1/", "http://127。0。0。1/", "http://１２７.0.0.1/",
		"http://①②⑦.0.0.1/",
	} {
		require.ErrorIs(t, targets.CheckURL(raw), outbound.ErrURL, raw)
	}

	for _, raw := range []string{
		"http://127.0.0.1/", "http://0.0.0.0/", "http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/",
		"http://[0:0:0:0:0:ffff:8.8.8.8]/", "http://[::127.0.0.1]/", "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/",
		"http://[64:ff9b::10.0.0.1]/", "https://8.8.8.8:25/", "https://example.com:22/", "http://example.com:1023/",
	} {
		var blocked *outbound.BlockedError
		require.ErrorAs(t, targets.CheckURL(raw), &blocked, raw)
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, seed := range []string{"https://example.com/x", "http://127.1:80", "http://[::ffff:1.2.3.4%25x]/", "http://a:b@c"} {
		f.Add(seed)
	}

	targets := outbound.NewTargets()

	f.Fuzz(func(t *testing.T, raw string) {
		if targets.CheckURL(raw) == nil {
			require.NotContains(t, raw, "@127.")
			require.LessOrEqual(t, len([]rune(raw)), 2048)
		}
	})
}
