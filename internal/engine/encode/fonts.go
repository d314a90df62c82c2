package encode

import (
	"errors"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
)

// fonts are those of the machine, looked for once; nil when it has none, which is a fault only where
// something is written.
func (e *Engine) fonts() (*lettering.Fonts, error) {
	e.letters.Do(func() {
		if e.found, e.fontsErr = lettering.Load(); errors.Is(e.fontsErr, lettering.ErrNoFonts) {
			e.fontsErr = nil
		}
	})

	return e.found, e.fontsErr
}

// Fonts names the state of the font catalogue, for plan.Settings: empty without fonts.
func (e *Engine) Fonts() (string, error) {
	found, err := e.fonts()
	if err != nil || found == nil {
		return "", err
	}

	return found.Identity(), nil
}
