package ffmpeg

import (
	"context"
	"sync"
	"time"
)

// Programs that a user waits for (stills, probes, short extracts) must not share the processors with long work, nor
// with a flood of work from one workspace. The programs of a workspace have a budget of processor time, which refills
// every second. When it is used up they run with a low priority until half of it is back.
const (
	budget      = time.Second
	budgetBack  = 200 * time.Millisecond // refilled each second
	budgetCheck = 100 * time.Millisecond // how often a program's use is read

	// lowNice is the niceness of a low priority. Next to one other program it gets a tenth of a processor, so it still
	// makes progress.
	lowNice = 10
)

// cpuBudget is how much of its budget a workspace has used.
type cpuBudget struct {
	mu   sync.Mutex
	used time.Duration
	at   time.Time
	over bool // it was used up, and less than half has come back
}

// add counts the time used until now and reports whether the budget is used up.
func (s *cpuBudget) add(used time.Duration, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	if !s.at.IsZero() {
		back := time.Duration(now.Sub(s.at).Seconds() * float64(budgetBack))
		s.used = max(s.used-back, 0)
	}

	s.at = now
	s.used = min(s.used+used, budget)
	s.over = s.used >= budget || s.over && s.used > budget/2

	return s.over
}

// CPUBudgets holds the processor-time budget of each workspace. It drops budgets that are full again. The zero value
// is ready for use.
type CPUBudgets struct {
	mu sync.Mutex
	of map[string]*cpuBudget
}

func (a *CPUBudgets) get(workspace string, now time.Time) *cpuBudget {
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
		a.of = map[string]*cpuBudget{}
	}

	made := &cpuBudget{at: now}
	a.of[workspace] = made

	return made
}

type (
	lowPriorityKey struct{}
	cpuBudgetKey   struct{}
)

// For returns a context for the programs of a workspace. Their processor time counts against its budget.
func (a *CPUBudgets) For(ctx context.Context, workspace string) context.Context {
	return context.WithValue(ctx, cpuBudgetKey{}, a.get(workspace, time.Now()))
}

// LowPriority returns a context for long work. Programs run with it have a low priority from the start, and their
// processor time does not count against a budget.
func LowPriority(ctx context.Context) context.Context {
	return context.WithValue(ctx, lowPriorityKey{}, true)
}

// looks reads the processor time of a program regularly, until the program has a low priority.
type looks struct {
	*time.Ticker
	process *process
	of      *cpuBudget
	before  time.Duration // what the program had used at the last look
	behind  bool
}

// looked starts the looks. A LowPriority program gets its priority now. A program without a workspace has its own
// budget.
func (p *process) looked(ctx context.Context) *looks {
	of, ok := ctx.Value(cpuBudgetKey{}).(*cpuBudget)
	if !ok {
		of = new(cpuBudget)
	}

	l := &looks{Ticker: time.NewTicker(budgetCheck), process: p, of: of}
	if ctx.Value(lowPriorityKey{}) != nil {
		l.lowerPriority()
	} else {
		l.look()
	}

	return l
}

func (l *looks) lowerPriority() {
	lowerPriority(l.process.cmd.Process.Pid)
	l.behind = true
	l.Stop()
}

// look counts what the program used since the last look.
func (l *looks) look() {
	used := usedBy(l.process.cmd.Process.Pid)
	if l.of.add(max(used-l.before, 0), time.Now()) {
		l.lowerPriority()
	}

	l.before = used
}

// end counts the rest when the program has ended; it is not reaped yet.
func (l *looks) end() {
	l.Stop()

	if !l.behind {
		l.of.add(max(usedBy(l.process.cmd.Process.Pid)-l.before, 0), time.Now())
	}
}
