package films_test

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/test/testkit/rendering"
)

// Making room in the cache never removes what the export needs, and of the rest no more than necessary.
func TestTrimKeepsWhatExportsNeed(t *testing.T) {
	t.Parallel()

	cache := encode.DirCache{Dir: t.TempDir()}
	born := time.Now().Add(-time.Hour)

	for i, name := range []string{"mine.mp4", "old.mp4", "older.m4a", "new.mp4"} {
		path := filepath.Join(cache.Dir, name)
		require.NoError(t, os.WriteFile(path, make([]byte, 1000), 0o600))
		require.NoError(t, os.Chtimes(path, born, born.Add(time.Duration(i)*time.Minute)))
	}

	mine := plan.Plan{Outputs: []plan.Output{{Chunks: []plan.Chunk{{Key: "mine"}}}}}
	require.NoError(t, cache.Free(1500, mine))
	require.Equal(t, []string{"mine.mp4", "new.mp4"}, slices.Sorted(maps.Keys(finished(t, cache.Dir))))

	require.NoError(t, cache.Free(1<<40, mine))
	require.Equal(t, []string{"mine.mp4"}, slices.Sorted(maps.Keys(finished(t, cache.Dir))))
	require.NoError(t, encode.DirCache{Dir: filepath.Join(cache.Dir, "never made")}.Free(1, mine))
}

func device(t *testing.T, path string) uint64 {
	t.Helper()

	var st unix.Stat_t
	require.NoError(t, unix.Stat(path, &st))

	return st.Dev
}

// A file taken from the cache stays for its user, whatever happens to the cache.
func TestTakenFilesOutliveTheCache(t *testing.T) {
	t.Parallel()

	//nolint:usetesting // usually another file system, where files are copied
	other, err := os.MkdirTemp("/dev/shm", "reelgraph-test-*")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(other)) })

	for _, folder := range []string{t.TempDir(), other} {
		cache := encode.DirCache{Dir: filepath.Join(t.TempDir(), "cache")}
		made, got := filepath.Join(folder, "made.mp4"), filepath.Join(folder, "got.mp4")
		require.NoError(t, os.WriteFile(made, []byte("a piece"), 0o600))
		require.NoError(t, os.WriteFile(got, []byte("what was left"), 0o600))

		require.False(t, cache.Get(t.Context(), "key.mp4", got))
		require.NoError(t, cache.Put(t.Context(), "key.mp4", made))
		require.NoError(t, cache.Put(t.Context(), "key.mp4", made), "another export made it as well")
		require.True(t, cache.Get(t.Context(), "key.mp4", got))

		first, err := os.Stat(made)
		require.NoError(t, err)
		second, err := os.Stat(got)
		require.NoError(t, err)

		linked := device(t, folder) == device(t, cache.Dir)
		require.Equal(t, linked, os.SameFile(first, second))
		require.NoError(t, cache.Trim(0))
		require.Equal(t, linked, cache.Has("key.mp4"), "removing a linked file would free nothing")

		require.NoError(t, os.Remove(made))
		require.NoError(t, os.RemoveAll(cache.Dir))

		content, err := os.ReadFile(got)
		require.NoError(t, err)
		require.Equal(t, "a piece\x00\x00\x00\x10freecrc \x56\x1e\xa3\xc6", string(content), "sealed once")

		damaged := filepath.Join(folder, "damaged.mp4")
		require.NoError(t, os.WriteFile(damaged, bytes.Replace(content, []byte("a piece"), []byte("a peace"), 1), 0o600))
		require.ErrorContains(t, cache.Put(t.Context(), "key.mp4", damaged), "the file is damaged")

		require.NoError(t, cache.Put(t.Context(), "key.mp4", got))
		require.NoError(t, os.Remove(got))
		require.NoError(t, cache.Trim(0))
		require.False(t, cache.Has("key.mp4"))
	}
}

// forgetful is a cache that loses each file once it has been taken.
type forgetful struct{ encode.DirCache }

func (c forgetful) Get(ctx context.Context, key, name string) bool {
	defer c.lose(key)

	return c.DirCache.Get(ctx, key, name)
}

func (c forgetful) Put(ctx context.Context, key, name string) error {
	defer c.lose(key)

	return c.DirCache.Put(ctx, key, name)
}

func (c forgetful) lose(key string) { _ = os.Remove(filepath.Join(c.Dir, key)) }

// An export keeps what it took from the cache and what it made, whatever happens to the cache.
func TestRenderOwnsWhatItUses(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	clip := rendering.Cleaned(t, s, -20)
	again := clip
	again.ID, again.Name = "cl_again", "again"

	settings := rendering.Wide()
	settings.Granularity = plan.Scenes
	plan := s.Plan(t, settings, clip, again)
	whole := s.RenderPlan(t, plan)

	before := finished(t, s.Cache.Dir)
	require.NotEmpty(t, before)

	for _, left := range []int{1, 0} { // with all pieces cached, and with only the studio sound
		result, err := s.Engine.Render(t.Context(), plan, s.Files, forgetful{s.Cache}, nil)
		require.NoError(t, err)
		require.Equal(t, whole.Frames, result.Frames)
		require.Equal(t, whole.Bytes, result.Bytes)
		require.NoError(t, result.Discard())
		require.Len(t, finished(t, s.Cache.Dir), left)
	}
}

// Damaged cache files of every kind are made again, and files that others still read are not overwritten.
func TestRenderMakesDamagedPiecesAgain(t *testing.T) {
	t.Parallel()

	s := rendering.New(t)
	clip := rendering.Cleaned(t, s, -20)
	plan := s.Plan(t, rendering.Wide(), clip)
	first := s.RenderPlan(t, plan)
	whole, err := os.ReadFile(first.Path)
	require.NoError(t, err)

	pieces := contents(t, s.Cache.Dir)
	require.Len(t, pieces, 3, "picture, sound and studio sound")

	for what, damage := range map[string]func(b []byte) []byte{
		"nothing left":     func([]byte) []byte { return nil },
		"half of it left":  func(b []byte) []byte { return b[:len(b)/2] },
		"no seal":          func(b []byte) []byte { return b[:len(b)-16] },
		"a wrong seal":     func(b []byte) []byte { return append(b[:len(b)-1], b[len(b)-1]^1) },
		"a wrong bit":      func(b []byte) []byte { return append(append(b[:len(b)/2:len(b)/2], b[len(b)/2]^64), b[len(b)/2+1:]...) },
		"more than it was": func(b []byte) []byte { return append(b, 0) },
		"another piece": func(b []byte) []byte {
			others := slices.DeleteFunc(slices.Sorted(maps.Values(pieces)), func(other string) bool { return other == string(b) })

			return []byte(others[0])
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()

			var log bytes.Buffer

			cache := encode.DirCache{Dir: t.TempDir(), Logger: slog.New(slog.NewTextHandler(&log, nil))}
			elsewhere := filepath.Join(t.TempDir(), "elsewhere")
			require.NoError(t, os.Mkdir(elsewhere, 0o700))

			damaged := map[string]string{}

			for name, content := range pieces {
				damaged[name] = string(damage([]byte(content)))
				require.NotEqual(t, content, damaged[name])
				require.NoError(t, os.WriteFile(filepath.Join(elsewhere, name), []byte(damaged[name]), 0o600))
				require.NoError(t, os.Link(filepath.Join(elsewhere, name), filepath.Join(cache.Dir, name)))
			}

			result, err := s.Engine.Render(t.Context(), plan, s.Files, cache, nil)
			require.NoError(t, err)

			again, err := os.ReadFile(result.Path)
			require.NoError(t, err)
			require.NoError(t, result.Discard())
			require.Equal(t, whole, again)
			require.Equal(t, pieces, contents(t, cache.Dir))
			require.Equal(t, damaged, contents(t, elsewhere))

			for name := range pieces {
				require.Contains(t, log.String(), filepath.Join(cache.Dir, name))
			}
		})
	}
}

// contents returns the contents of the files in a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()

	all := map[string]string{}

	for name := range finished(t, dir) {
		content, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)

		all[name] = string(content)
	}

	return all
}
