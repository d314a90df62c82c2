package workers_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// TestWordsAreShiftedByTheirOffset: words are shifted by the offset of their sound, and those before the recording
// starts are dropped. A clip that still waits for another recording stays waiting.
func TestWordsAreShiftedByTheirOffset(t *testing.T) {
	t.Parallel()

	s := newStudio(t)
	service := listenWith(s)
	s.work()

	wav, said, err := footage.Speak(t.Context(), 700, "hello", "world")
	require.NoError(t, err)
	service.hears(said)

	src := spoken(s, wav)
	moved := func(ms int64) (made *ent.Clip) {
		s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
			made = c.Clip.Create().SetVideo(s.video).SetName("Apart").SetPosition(0).SetMicrophoneSource(src).
				SetOffsets(values.Offsets{Microphone: values.Offset{Ms: ms}}).SetRecordingMs(60_000).SetDurationMs(60_000).
				SetCuts(values.Cuts{}).SetHasMicrophone(true).SetHasSystemAudio(false).
				SetBackground(values.DefaultBackground()).SaveX(ctx)
			require.NoError(t, s.queue.Add(ctx, jobs.Transcribe{SourceID: src.ID}))
		})

		return made
	}

	var waiting *ent.Clip

	s.member.Do(t, s.store, func(ctx context.Context, c *ent.Client) {
		arriving := c.Source.Create().SetUserID(s.member.UserID).SetKind(values.SourceKindVideo).SaveX(ctx)
		waiting = c.Clip.Create().SetVideo(s.video).SetName("Waits").SetPosition(9).SetScreenSource(src).SetCameraSource(arriving).SetRecordingMs(0).SetDurationMs(0).
			SetCuts(values.Cuts{}).SetHasMicrophone(false).SetHasSystemAudio(false).SetBackground(values.DefaultBackground()).SaveX(ctx)
	})

	late := s.words(s.listened(moved(1_500)))
	early := s.words(s.listened(moved(-said[0].EndMs)))

	for i := range said {
		require.Equal(t, said[i].StartMs+1_500, late[i].StartMs)
		require.Equal(t, said[i].EndMs+1_500, late[i].EndMs)
	}

	require.Len(t, early, len(said)-1)
	require.Equal(t, said[1].StartMs-said[0].EndMs, early[0].StartMs)

	waiting = s.store.Client(s.system()).Clip.GetX(s.system(), waiting.ID)
	require.Equal(t, values.TranscriptStatusPending, waiting.TranscriptStatus)
}
