package values

// SilenceMode determines how long a silence must be to be shortened. Silences longer than OverMs are shortened.
type SilenceMode string

// The values of SilenceMode.
const (
	SilenceModeNatural SilenceMode = "natural"
	SilenceModeFast    SilenceMode = "fast"
	SilenceModeFaster  SilenceMode = "faster"
)

// Values returns every SilenceMode as it is stored and sent.
func (SilenceMode) Values() []string {
	return values(SilenceModeNatural, SilenceModeFast, SilenceModeFaster)
}

// OverMs returns the length in milliseconds. Only silences that are longer are shortened.
func (m SilenceMode) OverMs() int64 {
	switch m {
	case SilenceModeFast:
		return 500
	case SilenceModeFaster:
		return 300
	case SilenceModeNatural:
	}

	return 800
}
