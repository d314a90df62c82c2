package encode

import (
	"errors"

	"github.com/reelgraph/reelgraph/internal/engine/compositor/lettering"
)

// fonts returns the fonts of the machine. It looks for them only once. If no fonts are installed, it returns nil
// without an error; only scenes with text then fail.
func (e *Engine) fonts() (*lettering.Fonts, error) {
	e.letters.Do(func() {
		if e.found, e.fontsErr = lettering.Load(); errors.Is(e.fontsErr, lettering.ErrNoFonts) {
			e.fontsErr = nil
		}
	})

	return e.found, e.fontsErr
}

// Fonts returns the identity of the installed fonts, for plan.Settings.Fonts. It is empty if no fonts are installed.
func (e *Engine) Fonts() (string, error) {
	found, err := e.fonts()
	if err != nil || found == nil {
		return "", err
	}

	return found.Identity(), nil
}
