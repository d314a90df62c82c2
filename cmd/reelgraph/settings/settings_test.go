package settings

import (
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/logging"
)

func load(env map[string]string) (Config, error) {
	return Load(func(name string) string { return env[name] })
}

func TestLoadConfig_Defaults(t *testing.T) {
	t.Parallel()

	c, err := load(nil)
	require.NoError(t, err)
	wd, err := os.Getwd()
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:8080", c.Addr)
	require.Equal(t, "http://127.0.0.1:8080", c.BaseURL.String())
	require.Equal(t, filepath.Join(wd, "data"), c.Data)
	require.Equal(t, "file://"+filepath.Join(wd, "data", "blobs"), c.Blob.String())
	require.Equal(t, 100, c.RateLimit)
	require.EqualValues(t, 5<<30, c.UploadMax)
	require.Equal(t, auth.PlanPremium, c.Plan)
	require.Nil(t, c.Workers)
	require.Zero(t, c.Speech)
	require.Equal(t, logging.JSON, c.Log)
	require.Equal(t, Collector{Service: "reelgraph", Ratio: 1}, c.Telemetry)
	require.Empty(t, c.DatabaseURL)
}

func TestLoadConfig_Values(t *testing.T) {
	t.Parallel()

	c, err := load(map[string]string{
		"REELGRAPH_ADDR":            ":80",
		"REELGRAPH_WEBHOOK_ALLOW":   "127.0.0.1, 10.1.2.3/8,::1",
		"REELGRAPH_WORKERS":         "render=2, webhook=50",
		"REELGRAPH_UPLOAD_MAX":      "200MiB",
		"REELGRAPH_PLAN":            "free",
		"REELGRAPH_SPEECH":          "whispercpp+http://127.0.0.1:9000",
		"REELGRAPH_FILLERS":         "en=um,you know; de=äh",
		"REELGRAPH_BLOB":            "s3://bucket?region=eu",
		"REELGRAPH_SMTP_URL":        "smtps://me:pw@mail.example:465",
		"REELGRAPH_COUNTRY_HEADER":  "CF-IPCountry",
		"REELGRAPH_TRUSTED_PROXIES": "192.0.2.0/24",
		"REELGRAPH_CORS_ORIGINS":    "https://studio.example, http://localhost:3000",
		"REELGRAPH_ORIGINS":         "https://reel.example, http://10.0.0.1:8080",
		"REELGRAPH_WORKSPACES":      "7",
		"REELGRAPH_LOG":             "text",

		"OTEL_EXPORTER_OTLP_ENDPOINT": "http://Collector:4318",
		"OTEL_EXPORTER_OTLP_HEADERS":  "authorization=Basic%20a=b, x=",
		"OTEL_RESOURCE_ATTRIBUTES":    "deployment.environment.name=test",
		"OTEL_SERVICE_NAME":           "reels",
		"OTEL_TRACES_SAMPLER_ARG":     "0.25",
	})
	require.NoError(t, err)
	require.Equal(t, "http://localhost:80", c.BaseURL.String())
	require.Equal(t, []netip.Prefix{
		netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128"),
	}, c.WebhookAllow)
	require.Equal(t, map[string]int{"render": 2, "webhook": 50}, c.Workers)
	require.EqualValues(t, 200<<20, c.UploadMax)
	require.Equal(t, auth.PlanFree, c.Plan)
	require.Equal(t, "whispercpp", c.Speech.Provider)
	require.Equal(t, "127.0.0.1:9000", c.Speech.URL.Host)
	require.Equal(t, map[string][]string{"en": {"um", "you know"}, "de": {"äh"}}, c.Fillers)
	require.Equal(t, "bucket", c.Blob.Host)
	require.Equal(t, "mail.example:465", c.SMTP.Host)
	require.Equal(t, []string{"https://studio.example", "http://localhost:3000"}, c.Origins)
	require.Equal(t, []string{"https://reel.example", "http://10.0.0.1:8080"}, c.OwnOrigins)
	require.Equal(t, 7, c.Workspaces)
	require.Equal(t, logging.Text, c.Log)
	require.Equal(t, Collector{
		Endpoint: &url.URL{Scheme: "http", Host: "Collector:4318"}, Headers: map[string]string{"authorization": "Basic a=b", "x": ""},
		Attributes: map[string]string{"deployment.environment.name": "test"}, Service: "reels", Ratio: 0.25,
	}, c.Telemetry)

	c, err = load(map[string]string{"REELGRAPH_WORKERS": "0", "REELGRAPH_BASE_URL": "https://clips.example/app/"})
	require.NoError(t, err)
	require.NotNil(t, c.Workers)
	require.Empty(t, c.Workers)
	require.Equal(t, "https://clips.example/app", c.BaseURL.String())
}

// An address without sslmode means require, for every driver, unless the environment says otherwise.
func TestLoadConfig_SSLMode(t *testing.T) {
	t.Parallel()

	for given, want := range map[string]string{
		"postgres://u:p@db.example/reel":                        "postgres://u:p@db.example/reel?sslmode=require",
		"postgres://db.example/reel?connect_timeout=5":          "postgres://db.example/reel?connect_timeout=5&sslmode=require",
		"postgresql://db.example/reel?sslmode=verify-full":      "postgresql://db.example/reel?sslmode=verify-full",
		"postgres:///reel?host=/run/postgresql&sslmode=disable": "postgres:///reel?host=/run/postgresql&sslmode=disable",
	} {
		c, err := load(map[string]string{"DATABASE_URL": given})
		require.NoError(t, err)
		require.Equal(t, want, c.DatabaseURL)

		c, err = load(map[string]string{"DATABASE_URL": given, "PGSSLMODE": "prefer"})
		require.NoError(t, err)
		require.Equal(t, given, c.DatabaseURL, "the drivers read PGSSLMODE themselves")
	}
}

func TestLoadConfig_WrongValues(t *testing.T) {
	t.Parallel()

	wrong := map[string][]string{
		"REELGRAPH_ADDR":            {"8080", "host:port", "host:70000"},
		"REELGRAPH_BASE_URL":        {"clips.example", "ftp://clips.example", "https://clips.example/?q=1"},
		"REELGRAPH_DOMAIN":          {"https://video.example.com", "localhost", "192.0.2.1", "video..example.com", "-a.example"},
		"REELGRAPH_HTTP_ADDR":       {"80"},
		"REELGRAPH_ACME_URL":        {"http://acme.example/dir", "acme.example"},
		"REELGRAPH_ACME_ROOT":       {"/no/such/file"},
		"REELGRAPH_TLS_CERT":        {"/no/such/file"},
		"REELGRAPH_TLS_KEY":         {"/no/such/file"},
		"DATABASE_URL":              {"mysql://localhost/db", "localhost"},
		"REELGRAPH_BLOB":            {"relative", "file://host/path", "s3://", "gs://bucket"},
		"REELGRAPH_RATE_LIMIT":      {"0", "-1", "many", "1.5"},
		"REELGRAPH_SESSION_LIMIT":   {"0", "-1", "many", "1.5"},
		"REELGRAPH_EVENT_LIMIT":     {"0", "-1", "many", "1.5"},
		"REELGRAPH_WEBHOOK_ALLOW":   {"localhost", "10.0.0.0/40", "10.0.0.1,"},
		"REELGRAPH_WORKERS":         {"render", "render=0", "render=1,render=2", "=1", "1"},
		"REELGRAPH_TRUSTED_PROXIES": {"proxy"},
		"REELGRAPH_COUNTRY_HEADER":  {"two words"},
		"REELGRAPH_MMDB":            {"/no/such/file"},
		"REELGRAPH_UPLOAD_MAX":      {"0", "5GB", "-1", "99999999999TiB"},
		"REELGRAPH_PLAN":            {"gold", "Free"},
		"REELGRAPH_SPEECH":          {"openai", "openai+ftp://x", "siri", "none+http://x"},
		"REELGRAPH_FILLERS":         {"um", "en=", "english=um", "en=um,,uh"},
		"REELGRAPH_METRICS_ADDR":    {"9090"},
		"REELGRAPH_WORKSPACES":      {"0", "-1", "five"},
		"REELGRAPH_ORIGINS":         {"*", "reel.example", "https://reel.example/", "null"},
		"REELGRAPH_CORS_ORIGINS":    {"*", "studio.example", "https://studio.example/", "https://a.example,", "https://user@a.example", "null"},
		"REELGRAPH_LOG":             {"xml", "JSON"},
		"REELGRAPH_SMTP_URL":        {"mail.example", "http://mail.example"},
		"REELGRAPH_SECRET":          {"too short"},

		"OTEL_EXPORTER_OTLP_ENDPOINT": {"Collector:4318", "grpc://Collector"},
		"OTEL_EXPORTER_OTLP_HEADERS":  {"hush", "=hush", "a=b,hush", "a=%zz"},
		"OTEL_RESOURCE_ATTRIBUTES":    {"x"},
		"OTEL_TRACES_SAMPLER_ARG":     {"-1", "1.1", "NaN", "all"},
	}
	for _, s := range All(&Config{}) {
		for _, value := range wrong[s.Name] {
			_, err := load(map[string]string{s.Name: value})
			require.ErrorContains(t, err, s.Name, value)
			require.ErrorContains(t, err, s.Wants, value)

			if s.secret {
				require.NotContains(t, strings.ReplaceAll(err.Error(), s.Wants, ""), value)
			}
		}
	}
}

func TestLoadConfig_ReportsAllFaultsTogether(t *testing.T) {
	t.Parallel()

	_, err := load(map[string]string{"REELGRAPH_ADDR": "x", "REELGRAPH_PLAN": "y"})
	require.ErrorContains(t, err, "REELGRAPH_ADDR")
	require.ErrorContains(t, err, "REELGRAPH_PLAN")
}

func TestStrays(t *testing.T) {
	t.Parallel()

	require.Equal(t, []Stray{
		{Name: "REELGRAPHADDR", Meant: "REELGRAPH_ADDR"},
		{Name: "REELGRAPH_"},
		{Name: "REELGRAPH_BANANA"},
		{Name: "REELGRAPH_BASEURL", Meant: "REELGRAPH_BASE_URL"},
		{Name: "REELGRAPH_RATELIMIT", Meant: "REELGRAPH_RATE_LIMIT"},
		{Name: "REELGRAPH_WORKER", Meant: "REELGRAPH_WORKERS"},
		{Name: "reelgraph_speech", Meant: "REELGRAPH_SPEECH"},
	}, Strays([]string{
		"REELGRAPH_RATELIMIT=5", "REELGRAPH_RATE_LIMIT=5", "PATH=/bin", "REELGRAPH_BANANA=", "reelgraph_speech=none", "REELGRAPH_WORKER=0",
		"REELGRAPH_BASEURL=x", "REELGRAPHADDR=x", "REELGRAPH_=x", "MY_REELGRAPH_KEY=x",
	}))
}

// Every setting whose value is secret gives its secrets to Secrets.
func TestSecrets(t *testing.T) {
	t.Parallel()

	values := map[string][2]string{
		"DATABASE_URL":               {"postgres://me:pass%2Fword@localhost/db?sslmode=disable&sslpassword=key+word", "pass/word pass%2Fword key word key+word key%20word"},
		"REELGRAPH_BLOB":             {"s3://access:hidden@bucket", "access hidden"},
		"REELGRAPH_SPEECH":           {"openai+https://sk-abc@api.example/v1?model=m", "sk-abc"},
		"REELGRAPH_SMTP_URL":         {"smtp://me:letters@mail.example", "letters"},
		"REELGRAPH_SECRET":           {strings.Repeat("s", 32), strings.Repeat("s", 32)},
		"OTEL_EXPORTER_OTLP_HEADERS": {"authorization=token", "token"},
	}

	for _, s := range All(&Config{}) {
		if !s.secret {
			continue
		}

		value, known := values[s.Name]
		require.True(t, known, s.Name)

		c, err := load(map[string]string{s.Name: value[0]})
		require.NoError(t, err)

		all := strings.Join(c.Secrets(), " ")
		for secret := range strings.FieldsSeq(value[1]) {
			require.Contains(t, all, secret, s.Name)
		}

		require.NotContains(t, " "+all+" ", " me ", "a user is no secret")
	}

	c, err := load(map[string]string{"REELGRAPH_SMTP_URL": "smtp://me:abc@mail.example"})
	require.NoError(t, err)
	require.Empty(t, c.Secrets(), "too short")
}
