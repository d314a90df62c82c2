// Package speech transcribes recordings and stores the words. Start with Transcribe.
package speech

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/workspace"
	"github.com/reelgraph/reelgraph/internal/engine/audio"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/speech"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/workers/media"
)

// speechBusy is how long a job waits while another one transcribes the same source.
const speechBusy = 5 * time.Second

// errUndecodable means that FFmpeg cannot decode a source's sound.
var errUndecodable = errors.New("the sound cannot be decoded")

// Transcribe recognizes the words of a source. It does so once for all clips that wait for the transcript.
type Transcribe struct {
	river.WorkerDefaults[jobs.Transcribe]
	media.Deps
}

// Timeout implements river.Worker. It returns no timeout: a recording may last hours, and each piece has its own
// limit.
func (*Transcribe) Timeout(*river.Job[jobs.Transcribe]) time.Duration { return -1 }

// Work implements river.Worker. If a provider refuses, the job does not fail: the clips' transcripts fail with the
// reason.
func (w *Transcribe) Work(ctx context.Context, job *river.Job[jobs.Transcribe]) error {
	ctx = auth.AsSystem(ctx)

	src, err := w.Store.Client(ctx).Source.Get(ctx, job.Args.SourceID)
	if ent.IsNotFound(err) {
		return nil
	}

	if err != nil {
		return fmt.Errorf("find source %s: %w", job.Args.SourceID, err)
	}

	release, taken, err := w.Locks.TrySlot(ctx, "speech/"+src.ID, 1)
	if err != nil {
		return fmt.Errorf("transcribe source %s: %w", src.ID, err)
	}

	if !taken {
		return river.JobSnooze(speechBusy)
	}

	defer release()

	if w.Speech == nil {
		return w.each(ctx, src, unavailable)
	}

	wanted, err := w.begin(ctx, src)
	if err != nil || !wanted {
		return err
	}

	speech, err := w.listen(ffmpeg.LowPriority(ctx), src, job.JobRow)
	if err == nil {
		return w.keep(ctx, src, speech)
	}

	if errors.Is(err, errGaveWay) {
		w.Logger.InfoContext(ctx, "transcribe: paused to let a job of another workspace run", slog.String("source", src.ID))

		return river.JobSnooze(0)
	}

	if errors.Is(err, media.ErrMeasuring) {
		return river.JobSnooze(media.MeasureBusy)
	}

	if w.Outage(job.JobRow, err) {
		w.Logger.WarnContext(ctx, "transcribe: storage unavailable, will retry", slog.String("source", src.ID), slog.Any("error", err))

		return river.JobSnooze(media.OutageSnooze)
	}

	if ctx.Err() != nil {
		return fmt.Errorf("transcribe source %s: %w", src.ID, err)
	}

	why, final := unheard(err, job.Attempt, job.MaxAttempts)
	if !final {
		return fmt.Errorf("transcribe source %s: %w", src.ID, err)
	}

	w.Logger.WarnContext(ctx, "transcribe: failed", slog.String("source", src.ID), slog.Any("error", err))

	return w.giveUp(ctx, src, why)
}

// unheard returns the reason that a failed transcript shows, and whether retrying is useless.
func unheard(err error, attempt, attempts int) (why string, final bool) {
	if refused, ok := errors.AsType[*speech.Error](err); ok {
		return refused.Message, !refused.Passing || attempt >= attempts
	}

	switch {
	case errors.Is(err, errUndecodable):
		return "The sound of the recording cannot be decoded.", attempt > 1
	case media.Lost(err):
		return "The file of the recording is missing.", true
	default:
		return "Something went wrong on our side.", attempt >= attempts
	}
}

// heardKey is the metadata key under which a job that was paused for another workspace stores its words so far, as
// JSON of speech.Heard.
const heardKey = "heard"

// errGaveWay means that the job stopped to let a job of another workspace run first. It continues later where it
// stopped.
var errGaveWay = errors.New("stopped to let a job of another workspace run first")

// listen does the long part, outside any transaction.
func (w *Transcribe) listen(ctx context.Context, src *ent.Source, job *rivertype.JobRow) (speech.Speech, error) {
	language, err := w.Store.Client(ctx).Workspace.Query().
		Where(workspace.ID(src.WorkspaceID)).Select(workspace.FieldSpeechLanguage).String(ctx)
	if err != nil {
		return speech.Speech{}, fmt.Errorf("read the workspace's language: %w", err)
	}

	file, err := w.sound(ctx, src)
	if err != nil {
		return speech.Speech{}, err
	}
	defer file.Close() //nolint:errcheck // an unnamed temporary file

	info, err := file.Stat()
	if err != nil {
		return speech.Speech{}, fmt.Errorf("read the sound: %w", err)
	}

	known := speech.Heard{Speech: speech.Speech{Language: language}}
	kept := struct {
		Heard *speech.Heard `json:"heard"`
	}{&known}

	if err := json.Unmarshal(job.Metadata, &kept); err != nil {
		return speech.Speech{}, fmt.Errorf("read the stored words: %w", err)
	}

	sound := speech.NewSound(file, info.Size())

	heard, err := speech.Listen(ctx, w.Speech, sound, known, w.OthersWait(job))
	if err != nil || heard.UntilMs >= sound.LengthMs() {
		return heard.Speech, err
	}

	return speech.Speech{}, errors.Join(errGaveWay, river.MetadataSet(ctx, heardKey, heard))
}

// sound decodes the sound of a source into a file that is deleted when it is closed, even after a crash.
func (w *Transcribe) sound(ctx context.Context, src *ent.Source) (*os.File, error) {
	info, err := w.Measured(ctx, src)
	if err != nil {
		return nil, err
	}

	path, release, err := w.Local(ctx, src)
	if err != nil {
		return nil, err
	}
	defer release()

	if err := os.MkdirAll(w.Engine.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("create a temporary file: %w", err)
	}

	file, err := os.CreateTemp(w.Engine.Dir, "speech-*")
	if err != nil {
		return nil, fmt.Errorf("create a temporary file: %w", err)
	}

	heard := probe.Source{Path: path, Info: media.AsHeard(src, info)}

	err = errors.Join(os.Remove(file.Name()), audio.Speech(ctx, w.Engine.Runner(), heard, speech.Rate, src.DurationMs, file))
	if err == nil {
		return file, nil
	}

	if exit, ok := errors.AsType[*ffmpeg.ExitError](err); ok && exit.Reason == nil && exit.Signal == 0 {
		err = errors.Join(errUndecodable, err)
	}

	return nil, errors.Join(err, file.Close())
}

// begin marks the waiting clips as being transcribed and reports whether there are any.
func (w *Transcribe) begin(ctx context.Context, src *ent.Source) (bool, error) {
	videos, err := w.Waiting(ctx, src)
	if err != nil {
		return false, err
	}

	for _, id := range videos {
		err := w.record(ctx, src, id, func(_ context.Context, c *ent.Clip, set *ent.ClipUpdateOne) (bool, error) {
			set.SetTranscriptStatus(values.TranscriptStatusProcessing).SetUpdatedAt(c.UpdatedAt)

			return false, nil
		})
		if err != nil {
			return false, err
		}
	}

	return len(videos) > 0, nil
}
