package ffmpeg

import (
	"context"
	"sync"
	"time"
)

// Programs that somebody waits for, of stills, probes and short extracts, do not share the processors with long work, nor with
// a flood of work of one workspace. The programs of a workspace may use patience of processor time; it comes back at
// patienceBack in each second. When it is used up they go on with what others leave, until half of it is back. Each is looked
// at every longLook.
const (
	patience     = time.Second
	patienceBack = 200 * time.Millisecond
	longLook     = 100 * time.Millisecond

	// longNice is how far a program stands back. Beside one other program it has a tenth of a processor, so that
	// even then it makes progress.
	longNice = 10
)

// spent is what the programs of a workspace have used of its patience.
type spent struct {
	mu   sync.Mutex
	used time.Duration
	at   time.Time
	over bool // it was used up, and not half of it has come back
}

// add counts what was used until now, and reports whether the patience is used up.
func (s *spent) add(used time.Duration, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.at.IsZero() {
		back := time.Duration(now.Sub(s.at).Seconds() * float64(patienceBack))
		s.used = max(s.used-back, 0)
	}
	s.at = now
	s.used = min(s.used+used, patience)
	s.over = s.used >= patience || s.over && s.used > patience/2
	return s.over
}

// Accounts are what each workspace has used. What has come back whole is forgotten.
type Accounts struct {
	mu sync.Mutex
	of map[string]*spent
}

func (a *Accounts) get(workspace string, now time.Time) *spent {
	a.mu.Lock()
	defer a.mu.Unlock()
	if found, ok := a.of[workspace]; ok {
		return found
	}
	for other, s := range a.of {
		s.mu.Lock()
		idle := now.Sub(s.at) > time.Minute
		s.mu.Unlock()
		if idle {
			delete(a.of, other)
		}
	}
	if a.of == nil {
		a.of = map[string]*spent{}
	}
	made := &spent{at: now}
	a.of[workspace] = made
	return made
}

type (
	behindKey struct{}
	spentKey  struct{}
)

// For is a context for the programs of a workspace, which are counted together.
func (a *Accounts) For(ctx context.Context, workspace string) context.Context {
	return context.WithValue(ctx, spentKey{}, a.get(workspace, time.Now()))
}

// Behind is a context for long work: its programs stand back from their beginning, and are not counted.
func Behind(ctx context.Context) context.Context { return context.WithValue(ctx, behindKey{}, true) }

// looks are those at a program, until it stands back.
type looks struct {
	*time.Ticker
	process *process
	of      *spent
	before  time.Duration // what the program had used when it was last looked at
	behind  bool
}

// looked has a program stand back at once if it is to, and looks at it otherwise. One of no workspace has a patience of its own.
func (p *process) looked(ctx context.Context) *looks {
	of, ok := ctx.Value(spentKey{}).(*spent)
	if !ok {
		of = new(spent)
	}
	l := &looks{Ticker: time.NewTicker(longLook), process: p, of: of}
	if ctx.Value(behindKey{}) != nil {
		l.standBack()
	} else {
		l.look()
	}
	return l
}

func (l *looks) standBack() {
	standBack(l.process.cmd.Process.Pid)
	l.behind = true
	l.Stop()
}

// look counts what the program has used since the last look.
func (l *looks) look() {
	used := usedBy(l.process.cmd.Process.Pid)
	if l.of.add(max(used-l.before, 0), time.Now()) {
		l.standBack()
	}
	l.before = used
}

// end counts what the program used at its end: it has not been reaped yet.
func (l *looks) end() {
	l.Stop()
	if !l.behind {
		l.of.add(max(usedBy(l.process.cmd.Process.Pid)-l.before, 0), time.Now())
	}
}
