package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/datafolder"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/platform/localpg"
	"github.com/reelgraph/reelgraph/internal/speech"
)

const (
	lookFor   = 10 * time.Second // the timeout of one check
	littleGiB = 5                // free space, in GiB, below which a recording may not fit
	leastMiB  = 512              // free space, in MiB, below which nothing works
)

// runningServer reports whether a server runs on the data folder, so that its port is expected to be in use.
func runningServer(ctx context.Context, c settings.Config) bool {
	ctx, cancel := context.WithTimeout(ctx, lookFor)
	defer cancel()

	_, running, err := localpg.Attach(ctx, c.Data)

	return err == nil && running
}

var ffmpegVersion = regexp.MustCompile(`version n?(\d+)(\.\S*)?`)

func mediaProgram(ctx context.Context, name string) Finding {
	f := Finding{Thing: name}

	path, err := exec.LookPath(name)
	if err != nil {
		f.Saw, f.Remedy = "not found", install("ffmpeg", "ffmpeg", "ffmpeg", "ffmpeg")

		return f
	}

	out, err := output(ctx, path, "-version")

	m := ffmpegVersion.FindStringSubmatch(out)
	if err != nil || m == nil {
		f.Saw, f.Remedy = path+" does not report its version", "reinstall FFmpeg"

		return f
	}

	f.Saw = m[1] + m[2] + " at " + path
	if len(m[1]) == 1 && m[1] < "5" {
		f.Remedy = "install FFmpeg 5.1 or newer"
	}

	return f
}

// mediaParts checks that FFmpeg was built with the parts that exports use.
func mediaParts(ctx context.Context) Finding {
	f := Finding{Thing: "ffmpeg parts"}

	var missing []string

	for _, part := range []struct {
		list  string
		names []string
	}{
		{"-encoders", []string{"libx264", "aac", "libwebp", "libwebp_anim", "mjpeg", "png", "gif", "pcm_s16le"}},
		{"-filters", []string{
			"adelay", "afade", "alimiter", "amix", "apad", "aresample", "atempo", "atrim", "concat", "crop", "format",
			"fps", "loudnorm", "scale", "setpts", "settb", "silencedetect", "tonemap", "tpad", "trim", "volume", "zscale",
		}},
	} {
		out, err := output(ctx, "ffmpeg", "-hide_banner", part.list)
		if err != nil {
			f.Saw, f.Remedy = "cannot list encoders and filters: ffmpeg does not run", "install FFmpeg first"

			return f
		}

		have := strings.Fields(out)
		for _, name := range part.names {
			if !slices.Contains(have, name) {
				missing = append(missing, name)
			}
		}
	}

	f.Saw = "every encoder and filter that exports use"
	if len(missing) > 0 {
		f.Saw = "without " + strings.Join(missing, ", ")
		f.Remedy = "install a full build of FFmpeg, with zimg (on Fedora and RHEL: ffmpeg from RPM Fusion, not ffmpeg-free; " +
			"with Homebrew: ffmpeg-full)"
	}

	return f
}

func databaseServer(ctx context.Context, c settings.Config) Finding {
	if c.DatabaseURL != "" {
		return givenDatabase(ctx, c.DatabaseURL)
	}

	f := Finding{Thing: "postgres"}

	p, err := localpg.Check(ctx, localpg.Options{DataDir: c.Data, BinDir: c.PostgresBin})
	if err == nil {
		f.Saw = p.Version + " in " + p.Dir + ", run privately in the data folder"

		return f
	}

	f.Saw = err.Error()

	f.Remedy = "choose another data folder with REELGRAPH_DATA"
	if errors.Is(err, localpg.ErrNoPrograms) {
		f.Remedy = install("postgresql", "postgresql-server", "postgresql", "postgresql") +
			"\nor, on Debian and Ubuntu, run this in the source tree: sh scripts/install.sh run" +
			"\nor set REELGRAPH_POSTGRES_BIN, or DATABASE_URL for a Postgres that runs elsewhere"
	}

	return f
}

func givenDatabase(ctx context.Context, dsn string) Finding {
	f := Finding{Thing: "postgres", Saw: "the database at DATABASE_URL answers"}

	ctx, cancel := context.WithTimeout(ctx, lookFor)
	defer cancel()

	connector, err := pq.NewConnector(dsn)
	if err == nil {
		conn, connectErr := connector.Connect(ctx)
		if err = connectErr; err == nil {
			err = conn.Close()
		}
	}

	if err != nil {
		f.Saw = "the database at DATABASE_URL: " + err.Error()

		f.Remedy = "start the database, correct DATABASE_URL, or unset it to use a private database"
		if errors.Is(err, pq.ErrSSLNotSupported) {
			f.Remedy = "if the network to the database is trusted, add sslmode=disable to DATABASE_URL: the default is sslmode=require"
		}
	}

	return f
}

// fonts checks for the families of the catalogue. Texts in missing ones are drawn in another font.
func fonts() Finding {
	f := Finding{Thing: "fonts"}

	found, err := lettering.Load()
	if err != nil {
		f.Saw = err.Error()
		f.Remedy = install("fonts-dejavu-core", "dejavu-sans-fonts", "ttf-dejavu", "--cask font-dejavu")

		return f
	}

	f.Saw = "all families of the catalogue"
	if missing := found.Missing(); len(missing) > 0 {
		f.Saw = "without " + strings.Join(missing, ", ") +
			" other fonts or boxes are drawn instead; to install the fonts, run in the source tree: sh scripts/install.sh run"
	}

	return f
}

func dataFolder(c settings.Config, running bool) Finding {
	f := Finding{Thing: "data folder"}

	marked, err := datafolder.Inspect(c.Data)
	switch {
	case err != nil:
		f.Saw, f.Remedy = c.Data+": "+err.Error(), "choose another with REELGRAPH_DATA"
	case running:
		f.Saw = c.Data + ", in use by a running server"
	case marked:
		f.Saw = c.Data + ", created by an earlier start"
	default:
		f.Saw = c.Data + ", will be created at first start"
	}

	if dir := existing(c.Data); f.Remedy == "" && syscall.Access(dir, writeAndEnter) != nil {
		f.Saw, f.Remedy = dir+" is not writable", "choose another with REELGRAPH_DATA, or change its permissions"
	}

	return f
}

const writeAndEnter = 0x2 | 0x1 // W_OK | X_OK

// existing returns the folder, or the nearest existing folder above it.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}

		dir = filepath.Dir(dir)
	}
}

func diskSpace(c settings.Config) Finding {
	f := Finding{Thing: "disk space"}
	dir := existing(c.Data)

	free, err := encode.FreeBytes(dir)
	if err != nil {
		f.Saw, f.Remedy, f.mild = "unknown: "+err.Error(), "make sure that the disk of "+dir+" has enough space", true

		return f
	}

	mib := free >> 20

	f.Saw = fmt.Sprintf("%.1f GiB free for %s", float64(mib)/1024, c.Data)
	if mib < littleGiB<<10 {
		f.Remedy = "free some space, or choose another disk with REELGRAPH_DATA"
		f.mild = mib >= leastMiB
	}

	return f
}

// port checks that the address of a setting can be listened on.
func port(ctx context.Context, setting, addr string, running bool) Finding {
	f := Finding{Thing: "port", Saw: addr + " is free"}

	var lc net.ListenConfig

	l, err := lc.Listen(ctx, "tcp", addr)
	switch {
	case err == nil:
		_ = l.Close() // nothing was accepted
	case running && errors.Is(err, syscall.EADDRINUSE):
		f.Saw = addr + " is in use, possibly by the server that runs on the data folder"
	default:
		f.Saw, f.Remedy = err.Error(), "stop the program that uses it, or choose another address with "+setting
	}

	return f
}

func speechProgram(ctx context.Context, c settings.Config) Finding {
	f := Finding{Thing: "speech", mild: true}

	path, err := exec.LookPath(speech.SphinxProgram)
	if err != nil {
		f.Saw = speech.SphinxProgram + " not found"
		f.Remedy = install("pocketsphinx pocketsphinx-en-us", "pocketsphinx", "pocketsphinx", "cmu-pocketsphinx")

		return f
	}

	f.Saw = "pocketsphinx at " + path
	if err := within(ctx, func(ctx context.Context) error { return trySpeech(ctx, c) }); err != nil {
		f.Saw += " fails: " + strings.ReplaceAll(err.Error(), "\n", "; ")
		f.Remedy = install("pocketsphinx pocketsphinx-en-us", "pocketsphinx", "pocketsphinx", "cmu-pocketsphinx")
	}

	return f
}

func output(ctx context.Context, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, lookFor)
	defer cancel()

	out, err := exec.CommandContext(ctx, program, args...).Output()

	return string(out), err
}

// install returns the command that installs packages with this system's package manager.
func install(apt, dnf, pacman, brew string) string {
	for _, m := range []struct{ program, command, packages string }{
		{"apt-get", "sudo apt-get install ", apt},
		{"dnf", "sudo dnf install ", dnf},
		{"pacman", "sudo pacman -S ", pacman},
		{"brew", "brew install ", brew},
	} {
		if _, err := exec.LookPath(m.program); err == nil {
			return m.command + m.packages
		}
	}

	return "install " + apt
}

// UnknownSettings returns a finding that names every unknown setting and how to correct it.
func UnknownSettings(all []settings.Stray) Finding {
	f := Finding{Thing: "settings", Saw: "every REELGRAPH_… variable is a known setting"}

	var names, remedies []string

	for _, s := range all {
		names = append(names, s.Name)

		if s.Meant != "" {
			remedies = append(remedies, s.Name+": did you mean "+s.Meant+"?")
		} else {
			remedies = append(remedies, "unset "+s.Name+": reelgraph help lists the settings")
		}
	}

	if len(all) > 0 {
		f.Saw, f.Remedy = strings.Join(names, ", ")+" is not a known setting and is ignored", strings.Join(remedies, "\n")
		f.broken = true
	}

	return f
}
