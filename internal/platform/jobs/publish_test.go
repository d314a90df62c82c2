package jobs_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/webhook/event"
	"github.com/reelgraph/reelgraph/test/testkit"
)

// bundle is a workspace with one person of each standing, each with an endpoint.
type bundle struct {
	*testing.T

	people map[string]testkit.Member
	queue  *jobs.Queue
	store  *store.Store
}

func setup(t *testing.T) *bundle {
	t.Helper()

	b := &bundle{T: t, people: map[string]testkit.Member{}, store: testkit.Open(t)}
	client, err := queue.NewInserter(b.store.DB, slog.New(slog.DiscardHandler))
	require.NoError(t, err)

	b.queue = &jobs.Queue{Client: client, Store: b.store}

	b.people["owner"] = testkit.NewMember(t, b.store, testkit.MemberOpts{})
	for name, role := range map[string]auth.Role{
		"admin": auth.RoleAdmin, "creator": auth.RoleMember, "editor": auth.RoleMember, "guest": auth.RoleMember,
		"member": auth.RoleMember, "viewer": auth.RoleViewer, "viewing editor": auth.RoleViewer,
	} {
		b.people[name] = testkit.NewMember(t, b.store, testkit.MemberOpts{WorkspaceID: b.people["owner"].WorkspaceID, Role: role})
	}

	b.people["stranger"] = testkit.NewMember(t, b.store, testkit.MemberOpts{})
	for _, person := range b.people {
		b.endpoint(person, nil)
	}

	return b
}

func (b *bundle) endpoint(m testkit.Member, kinds []values.EventType) *ent.WebhookEndpoint {
	b.Helper()

	var endpoint *ent.WebhookEndpoint

	m.Do(b.T, b.store, func(ctx context.Context, c *ent.Client) {
		create := c.WebhookEndpoint.Create().SetUserID(m.UserID).SetWorkspaceID(m.WorkspaceID).
			SetURL("https://example.com/").SetSecretSealed([]byte("sealed"))
		if kinds != nil {
			create.SetFilterTypes(kinds)
		}

		endpoint = create.SaveX(ctx)
	})

	return endpoint
}

// video creates a video of the creator's, with the editor, the viewing editor and the guest as collaborators.
func (b *bundle) video(visibility values.Visibility, settings values.VideoSettings) *ent.Video {
	b.Helper()

	var v *ent.Video

	b.people["creator"].Do(b.T, b.store, func(ctx context.Context, c *ent.Client) {
		workspaceID := b.people["creator"].WorkspaceID

		v = c.Video.Create().SetUserID(b.people["creator"].UserID).SetWorkspaceID(workspaceID).SetName("Video").SetVisibility(visibility).
			SetWidth(1920).SetHeight(1080).SetSettings(settings).SetEditing(values.Editing{}).SaveX(ctx)
		for name, role := range map[string]values.CollaboratorRole{
			"editor": values.CollaboratorRoleEditor, "viewing editor": values.CollaboratorRoleEditor, "guest": values.CollaboratorRoleViewer,
		} {
			c.Collaborator.Create().SetVideo(v).SetUserID(b.people[name].UserID).SetRole(role).SetWorkspaceID(workspaceID).ExecX(ctx)
		}
	})

	return v
}

// alone returns the creator, a video and an event about it, in a workspace without endpoints.
func (b *bundle) alone() (creator testkit.Member, v *ent.Video, ev event.Event) {
	b.Helper()

	v = b.video(values.VisibilityPersonal, values.DefaultVideoSettings())
	_, err := b.store.DB.ExecContext(context.Background(), "DELETE FROM webhook_endpoints")
	require.NoError(b, err)

	return b.people["creator"], v, event.VideoCreatedEvent{Video: event.VideoOf(v.ID, v.Name)}
}

// publish publishes as the creator and returns who received the event.
func (b *bundle) publish(event event.Event, audience jobs.Audience) []string {
	b.Helper()

	b.people["creator"].Do(b.T, b.store, func(ctx context.Context, _ *ent.Client) {
		require.NoError(b, b.queue.Publish(ctx, event, audience))
	})
	ctx := auth.AsSystem(context.Background())
	deliveries, err := b.store.Client(ctx).WebhookDelivery.Query().WithEndpoint().All(ctx)
	require.NoError(b, err)

	var names []string

	for _, delivery := range deliveries {
		for name, person := range b.people {
			if person.UserID == delivery.Edges.Endpoint.UserID {
				names = append(names, name)
			}
		}
	}

	b.clear()
	sort.Strings(names)

	return names
}

func (b *bundle) clear() {
	b.Helper()

	_, err := b.store.DB.ExecContext(context.Background(), "TRUNCATE webhook_messages, webhook_deliveries, webhook_attempts, river_job")
	require.NoError(b, err)
}

func TestAudiences(t *testing.T) {
	t.Parallel()

	b := setup(t)
	closed := values.DefaultVideoSettings()
	downloads, raw := closed, closed
	downloads.DownloadsEnabled = true
	raw.DownloadsEnabled, raw.RawDownloadsEnabled = true, true

	const org, personal = values.VisibilityOrg, values.VisibilityPersonal

	everybody := []string{"admin", "creator", "editor", "guest", "member", "owner", "viewer", "viewing editor"}
	invited := []string{"creator", "editor", "guest", "viewing editor"}
	editors := []string{"admin", "creator", "editor", "owner"}

	alone := []string{"creator", "editor"}
	for name, row := range map[string]struct {
		visibility values.Visibility
		settings   values.VideoSettings
		audience   func(v *ent.Video) jobs.Audience
		want       []string
	}{
		"read, org":                        {org, closed, func(v *ent.Video) jobs.Audience { return jobs.Readers(v.ID) }, everybody},
		"read, personal":                   {personal, closed, func(v *ent.Video) jobs.Audience { return jobs.Readers(v.ID) }, invited},
		"export, org":                      {org, closed, func(v *ent.Video) jobs.Audience { return jobs.Exporters(v.ID, false) }, editors},
		"export, personal":                 {personal, closed, func(v *ent.Video) jobs.Audience { return jobs.Exporters(v.ID, false) }, alone},
		"export, org, downloads":           {org, downloads, func(v *ent.Video) jobs.Audience { return jobs.Exporters(v.ID, false) }, everybody},
		"export, personal, downloads":      {personal, downloads, func(v *ent.Video) jobs.Audience { return jobs.Exporters(v.ID, false) }, invited},
		"export raw, org, downloads":       {org, downloads, func(v *ent.Video) jobs.Audience { return jobs.Exporters(v.ID, true) }, editors},
		"export raw, org, raw downloads":   {org, raw, func(v *ent.Video) jobs.Audience { return jobs.Exporters(v.ID, true) }, everybody},
		"export raw, personal, everything": {personal, raw, func(v *ent.Video) jobs.Audience { return jobs.Exporters(v.ID, true) }, invited},
	} {
		v := b.video(row.visibility, row.settings)
		event := event.VideoCreatedEvent{Video: event.VideoOf(v.ID, v.Name)}
		require.Equal(t, row.want, b.publish(event, row.audience(v)), name)
	}

	for visibility, want := range map[values.Visibility][]string{org: everybody, personal: {"creator"}} {
		var p *ent.Playlist

		b.people["creator"].Do(t, b.store, func(ctx context.Context, c *ent.Client) {
			p = c.Playlist.Create().SetName("List").SetUserID(b.people["creator"].UserID).SetVisibility(visibility).
				SetWorkspaceID(b.people["creator"].WorkspaceID).SaveX(ctx)
		})

		event := event.PlaylistCreatedEvent{Playlist: event.Playlist{PlaylistID: p.ID, PlaylistName: p.Name}}
		require.Equal(t, want, b.publish(event, jobs.PlaylistReaders(p.ID)))
	}
}

func TestWhoLeftTheWorkspaceHearsNothing(t *testing.T) {
	t.Parallel()

	b := setup(t)
	v := b.video(values.VisibilityPersonal, values.DefaultVideoSettings())
	_, err := b.store.DB.ExecContext(t.Context(), "DELETE FROM memberships WHERE user_id = ANY(ARRAY[$1, $2])",
		b.people["editor"].UserID, b.people["guest"].UserID)
	require.NoError(t, err)

	event := event.VideoCreatedEvent{Video: event.VideoOf(v.ID, v.Name)}
	require.Equal(t, []string{"creator", "viewing editor"}, b.publish(event, jobs.Readers(v.ID)))
}

func TestPublishWritesMessageDeliveriesAndJobs(t *testing.T) {
	t.Parallel()

	b := setup(t)
	creator, v, event := b.alone()
	publish := func() {
		creator.Do(t, b.store, func(ctx context.Context, _ *ent.Client) {
			require.NoError(t, b.queue.Publish(ctx, event, jobs.Readers(v.ID)))
		})
	}
	ctx := creator.Context()
	c := b.store.Client(ctx)

	publish()
	require.Zero(t, c.WebhookMessage.Query().CountX(ctx), "nobody listens")

	listening := b.endpoint(creator, []values.EventType{values.EventTypeExportReady, values.EventTypeVideoCreated})
	failing := b.endpoint(creator, nil)
	b.endpoint(creator, []values.EventType{values.EventTypeExportReady})
	off := b.endpoint(creator, nil)
	b.endpoint(b.people["member"], nil)
	creator.Do(t, b.store, func(ctx context.Context, c *ent.Client) {
		c.WebhookEndpoint.UpdateOneID(off.ID).SetDisabled(true).ExecX(ctx)
		c.WebhookEndpoint.UpdateOneID(failing.ID).SetFailingSince(time.Now()).ExecX(ctx)
	})
	publish()

	message := c.WebhookMessage.Query().WithDeliveries().OnlyX(ctx)
	require.True(t, ids.Is(ids.Message, message.ID))
	require.Equal(t, values.EventTypeVideoCreated, message.EventType)

	var body struct {
		Type      string
		Timestamp time.Time
		Data      struct {
			VideoID   string
			Timestamp time.Time
		}
	}
	require.NoError(t, json.Unmarshal([]byte(message.Body), &body))
	require.Equal(t, v.ID, body.Data.VideoID)
	require.Equal(t, message.OccurredAt.UTC(), body.Timestamp)
	require.Equal(t, message.OccurredAt.UTC(), body.Data.Timestamp)

	priorities := map[string]int{}

	require.Len(t, message.Edges.Deliveries, 2)

	for _, delivery := range message.Edges.Deliveries {
		require.Equal(t, values.DeliveryStatusPending, delivery.Status)
		require.NotNil(t, delivery.NextAttemptAt)

		var priority int
		require.NoError(t, b.store.DB.QueryRowContext(ctx,
			"SELECT priority FROM river_job WHERE kind = 'deliver' AND queue = 'webhook' AND args->>'deliveryId' = $1", delivery.ID).Scan(&priority))
		priorities[delivery.EndpointID] = priority
	}

	require.Equal(t, map[string]int{listening.ID: 1, failing.ID: 2}, priorities)

	creator.Do(t, b.store, func(ctx context.Context, c *ent.Client) {
		require.NoError(t, jobs.CancelDeliveries(ctx, c, listening.ID))
	})

	for _, delivery := range c.WebhookDelivery.Query().AllX(ctx) {
		require.Equal(t, delivery.EndpointID == listening.ID, delivery.Status == values.DeliveryStatusCanceled)
	}
}

// A late endpoint gets no job for each event: the job that it has finds everything that is due there.
func TestEventsForALateEndpointShareItsJob(t *testing.T) {
	t.Parallel()

	b := setup(t)
	creator, v, event := b.alone()
	behind, prompt := b.endpoint(creator, nil), b.endpoint(creator, nil)

	publish := func(wantDeliveries, wantBehind, wantPrompt int) {
		t.Helper()

		creator.Do(t, b.store, func(ctx context.Context, _ *ent.Client) {
			require.NoError(t, b.queue.Publish(ctx, event, jobs.Readers(v.ID)))
		})
		require.Equal(t, wantDeliveries, b.store.Client(creator.Context()).WebhookDelivery.Query().CountX(creator.Context()))

		for endpoint, want := range map[*ent.WebhookEndpoint]int{behind: wantBehind, prompt: wantPrompt} {
			var got int
			require.NoError(t, b.store.DB.QueryRowContext(t.Context(),
				"SELECT count(*) FROM river_job WHERE args->>'endpointId' = $1", endpoint.ID).Scan(&got))
			require.Equal(t, want, got)
		}
	}
	due := func(status values.DeliveryStatus, since time.Duration) {
		t.Helper()

		_, err := b.store.DB.ExecContext(t.Context(), "UPDATE webhook_deliveries SET status = $1, next_attempt_at = $2 WHERE endpoint_id = $3",
			status, time.Now().Add(-since), behind.ID)
		require.NoError(t, err)
	}

	publish(2, 1, 1)
	publish(4, 2, 2) // not late within the first second, so each event inserts a job
	due(values.DeliveryStatusPending, 2*time.Second)
	publish(6, 2, 3)
	due(values.DeliveryStatusSucceeded, 2*time.Second) // finished deliveries do not make an endpoint late
	publish(8, 3, 4)
	due(values.DeliveryStatusPending, -time.Minute) // deliveries that are not due yet do not either
	publish(10, 4, 5)
}

func TestAddNeedsATransaction(t *testing.T) {
	t.Parallel()

	b := setup(t)
	require.ErrorIs(t, b.queue.Add(b.people["owner"].Context(), jobs.Deliver{}), store.ErrNoTx)
}

// In a quiet context an event is not stored, and jobs are quiet.
func TestNothingIsPublishedQuietly(t *testing.T) {
	t.Parallel()

	b := setup(t)
	v := b.video(values.VisibilityOrg, values.DefaultVideoSettings())
	created := event.VideoCreatedEvent{Video: event.VideoOf(v.ID, v.Name)}

	b.people["creator"].Do(b.T, b.store, func(ctx context.Context, _ *ent.Client) {
		require.NoError(t, b.queue.Publish(queue.Quietly(ctx), created, jobs.Readers(v.ID)))
		require.NoError(t, b.queue.Add(queue.Quietly(ctx), jobs.Look{SourceID: "quiet"}))
		require.NoError(t, b.queue.Add(ctx, jobs.Look{SourceID: "loud"}))
	})

	var messages, quiet, loud int

	require.NoError(t, b.store.DB.QueryRow(`SELECT (SELECT count(*) FROM webhook_messages),
		(SELECT count(*) FROM river_job WHERE args->>'sourceId' = 'quiet' AND metadata->>'quiet' = 'true' AND metadata->>'workspace' = $1),
		(SELECT count(*) FROM river_job WHERE args->>'sourceId' = 'loud' AND NOT metadata ? 'quiet' AND metadata->>'workspace' = $1)`,
		b.people["creator"].WorkspaceID).Scan(&messages, &quiet, &loud))
	require.Equal(t, [3]int{0, 1, 1}, [3]int{messages, quiet, loud})

	require.NotEmpty(t, b.publish(created, jobs.Readers(v.ID)), "otherwise it is published")
}
