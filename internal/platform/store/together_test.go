package store_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// What is read together is what is read one after the other: every row, in its order, empty columns and times too.
func TestTogetherReadsWhatOneAfterTheOtherReads(t *testing.T) {
	t.Parallel()

	s := testkit.Open(t)
	m := testkit.NewMember(t, s, testkit.MemberOpts{})

	var named []string

	for range 5 {
		named = append(named, testkit.NewVideo(t, s, m, testkit.VideoOpts{}).ID)
	}

	ctx := system()
	random := rand.New(rand.NewPCG(1, 2))

	// Each asks a statement of another table, other columns, order and length, and then perhaps more.
	reads := []func(ctx context.Context, limit int) (string, error){
		func(ctx context.Context, limit int) (string, error) {
			rows, err := s.Client(ctx).Video.Query().Order(ent.Desc(video.FieldID)).Limit(limit).All(ctx)

			return told(t, rows), err
		},
		func(ctx context.Context, limit int) (string, error) {
			rows, err := s.Client(ctx).Clip.Query().Order(ent.Asc("position", "id")).Limit(limit).WithScreenSource().All(ctx)

			return told(t, rows), err
		},
		func(ctx context.Context, limit int) (string, error) {
			rows, err := s.Client(ctx).Video.Query().Where(video.WorkspaceID(m.WorkspaceID)).Select(video.FieldID, video.FieldName).
				Order(ent.Asc(video.FieldID)).Limit(limit).Modify(func(s *entsql.Selector) {
				s.AppendSelectExprAs(entsql.Expr("COUNT(*) OVER ()"), ent.TotalColumn)
			}).All(ctx)

			for _, row := range rows {
				require.Equal(t, 5, row.Extra.Total)
			}

			return told(t, rows), err
		},
		func(ctx context.Context, limit int) (string, error) { // with many arguments, of which each matters
			none := []string{"a", "b", "c", "d", "e", "f", "g"}[:limit]
			of := min(limit, len(named)) - 1
			rows, err := s.Client(ctx).Video.Query().Where(video.NameNotIn(none...), video.IDNEQ(named[of]), video.IDIn(named[:of+1]...)).
				Order(ent.Asc(video.FieldID)).All(ctx)
			require.Len(t, rows, of)

			return told(t, rows), err
		},
		func(ctx context.Context, limit int) (string, error) {
			n, err := s.Client(ctx).Video.Query().Where(video.IDIn(named[:min(limit, len(named))]...)).Count(ctx)
			require.Equal(t, min(limit, len(named)), n)

			return strconv.Itoa(n), err
		},
		func(ctx context.Context, _ int) (string, error) {
			all, err := s.Client(ctx).Video.Query().Order(ent.Asc(video.FieldID)).IDs(ctx)

			return told(t, all), err
		},
		func(ctx context.Context, _ int) (string, error) {
			rows, err := s.Client(ctx).Export.Query().All(ctx)
			require.Empty(t, rows)

			return told(t, rows), err
		},
		func(ctx context.Context, limit int) (string, error) {
			var all []*ent.Membership

			for range limit { // several, one after the other
				rows, err := s.Client(ctx).Membership.Query().All(ctx)
				if err != nil {
					return "", err
				}

				all = append(all, rows...)
			}

			return told(t, all), nil
		},
		func(context.Context, int) (string, error) { return "nothing is asked", nil },
		func(ctx context.Context, limit int) (string, error) { // which has some that go together as well
			var users, sources string

			err := s.Together(ctx,
				func(ctx context.Context) error {
					rows, err := s.Client(ctx).User.Query().All(ctx)
					users = told(t, rows)

					return err
				},
				func(ctx context.Context) error {
					rows, err := s.Client(ctx).Source.Query().Order(ent.Asc("id")).Limit(limit).All(ctx)
					sources = told(t, rows)

					return err
				})

			return users + sources, err
		},
	}

	for range 200 {
		var (
			alone, together []string
			run             []func(context.Context) error
		)

		for i := range 1 + random.IntN(4) {
			read, limit := reads[random.IntN(len(reads))], 1+random.IntN(7)

			one, err := read(ctx, limit)
			require.NoError(t, err)

			alone, together = append(alone, one), append(together, "")
			run = append(run, func(ctx context.Context) (err error) {
				together[i], err = read(ctx, limit)

				return err
			})
		}

		require.NoError(t, s.Together(ctx, run...))
		require.Equal(t, alone, together)
	}
}

func TestTogetherAsksOnce(t *testing.T) {
	t.Parallel()

	wire := api.NewWire(t, testkit.Database(t))
	s := testkit.OpenAt(t, wire.DSN)
	ctx := system()

	all := func(ctx context.Context) error {
		_, err := s.Client(ctx).Video.Query().Where(video.Name("$1")).All(ctx)

		return err
	}
	long := func(ctx context.Context) error {
		_, err := s.Client(ctx).Video.Query().Where(video.NameNotIn(slices.Repeat([]string{"x"}, 1500)...)).All(ctx)

		return err
	}

	for range 2 { // the first prepares the statements
		before := wire.Count()
		require.NoError(t, s.Together(ctx, all, all, all))
		require.Equal(t, int64(1), wire.Count()-before)

		before = wire.Count()
		require.NoError(t, s.Together(ctx, all, long)) // which nobody would keep prepared
		require.Equal(t, int64(2), wire.Count()-before)
	}
}

// told are rows with their edges, and moments as exact as Postgres has them.
func told[T any](t *testing.T, rows []T) string {
	t.Helper()

	all, err := json.Marshal(rows)
	require.NoError(t, err)

	return string(all)
}

// A read that fails ends the others, and leaves no connection behind.
func TestTogetherFailsWhenOneDoes(t *testing.T) {
	t.Parallel()

	s, err := store.Open(t.Context(), testkit.Database(t), store.Options{MaxConns: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })

	ctx, cancel := context.WithTimeout(system(), 30*time.Second)
	defer cancel()

	var begun, ended int

	fine := func(ctx context.Context) error {
		begun++
		defer func() { ended++ }()

		for range 3 {
			if _, err := s.Client(ctx).Video.Query().All(ctx); err != nil {
				return err
			}
		}

		return nil
	}
	wrong := func(ctx context.Context) error {
		_, err := s.Client(ctx).Video.Query().Modify(func(s *entsql.Selector) { s.Where(entsql.ExprP("nobody = 1")) }).All(ctx)

		return err
	}

	require.ErrorContains(t, s.Together(ctx, fine, wrong, fine), "nobody")
	require.ErrorIs(t, s.Together(ctx, fine, func(context.Context) error { return errWanted }, fine), errWanted)
	func() {
		defer func() {
			where, _ := recover().(string)
			require.Contains(t, where, "wanted, in a read")
			require.Contains(t, where, "together_test.go", "and where it was")
		}()

		_ = s.Together(ctx, fine, func(context.Context) error { panic("wanted") }, fine)
	}()
	require.Positive(t, begun)
	require.Equal(t, begun, ended, "nobody is left waiting")
	require.NoError(t, s.Together(ctx, fine, fine))
	require.NoError(t, s.InTx(ctx, func(ctx context.Context) error { return s.Together(ctx, fine, fine) }))
}
