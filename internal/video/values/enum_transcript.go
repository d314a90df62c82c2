package values

// SilenceMode determines which silences are shortened: those longer than OverMs.
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

// OverMs is the length above which a silence is shortened.
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
