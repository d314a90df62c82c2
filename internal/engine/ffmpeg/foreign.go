package ffmpeg

import (
	"encoding/binary"
	"slices"
)

// foreignFormat is a format that is not supported but recognized, so that the refusal can name it and say what to use
// instead.
type foreignFormat struct {
	name string // plural, the start of a sentence
	kind foreignKind
	// at is the offset of magic; more lists alternatives to magic. A question mark matches any byte.
	at    int
	magic string
	more  []string
}

// foreignKind is what a format holds; it decides which formats the refusal recommends.
type foreignKind int

const (
	aPicture foreignKind = iota
	aSound
	aFilm
	noSound // notes and instruments
)

// refused returns the refusal for the person who sent the file.
func (f foreignFormat) refused() *Refused {
	switch f.kind {
	case aSound:
		return Refuse(CodeUnsupported, "%s files are not supported. Use WAV, FLAC, MP3, AAC, M4A or Ogg.", f.name)
	case aFilm:
		return Refuse(CodeUnsupported, "%s files are not supported. Use MP4, MOV, WebM or MKV.", f.name)
	case noSound:
		return Refuse(CodeUnsupported, "%s files contain notes instead of sound and are not supported. "+
			"Convert the file to WAV, FLAC or MP3.", f.name)
	case aPicture:
	}

	return Refuse(CodeUnsupported, "%s images are not supported. Use PNG, JPEG, WebP, GIF or BMP.", f.name)
}

// foreign recognizes an unsupported format by its first bytes.
func foreign(head []byte) (foreignFormat, bool) {
	if isTGA(head) { // before the shorter magics, because a TGA has none
		return foreignFormat{name: "TGA"}, true
	}

	for _, f := range foreignFormats() {
		if slices.ContainsFunc(append([]string{f.magic}, f.more...), func(magic string) bool { return looksLike(head, f.at, magic) }) {
			return f, true
		}
	}

	switch {
	case isPNM(head):
		return foreignFormat{name: "PNM (PBM, PGM, PPM or PAM)"}, true
	case isPCX(head):
		return foreignFormat{name: "PCX"}, true
	}

	return foreignFormat{}, false
}

// looksLike compares the bytes at an offset with a magic, in which a question mark matches any byte.
func looksLike(head []byte, at int, magic string) bool {
	if len(head) < at+len(magic) {
		return false
	}

	for i := range len(magic) {
		if magic[i] != '?' && magic[i] != head[at+i] {
			return false
		}
	}

	return true
}

func foreignFormats() []foreignFormat {
	return slices.Concat(foreignPictures(), foreignSounds(), foreignFilms())
}

func foreignPictures() []foreignFormat {
	return []foreignFormat{
		{name: "Canon raw (CR2)", magic: "II*\x00????CR\x02"},
		{name: "TIFF", magic: "II*\x00", more: []string{"MM\x00*", "II+\x00", "MM\x00+"}},
		{name: "Icon (ICO)", magic: "\x00\x00\x01\x00?\x00"},
		{name: "Cursor (CUR)", magic: "\x00\x00\x02\x00?\x00"},
		{name: "JPEG 2000", magic: "\x00\x00\x00\x0cjP  \r\n\x87\n", more: []string{"\xff\x4f\xff\x51"}},
		{name: "JPEG XL", magic: "\x00\x00\x00\x0cJXL \r\n\x87\n", more: []string{"\xff\x0a"}},
		{name: "JPEG XR", magic: "II\xbc\x01"},
		{name: "Photoshop (PSD)", magic: "8BPS\x00"},
		{name: "GIMP (XCF)", magic: "gimp xcf "},
		{name: "OpenEXR", magic: "\x76\x2f\x31\x01"},
		{name: "Radiance HDR", magic: "#?RADIANCE", more: []string{"#?RGBE"}},
		{name: "QOI", magic: "qoif"},
		{name: "BPG", magic: "BPG\xfb"},
		{name: "FLIF", magic: "FLIF"},
		{name: "MNG", magic: "\x8aMNG\r\n\x1a\n"},
		{name: "JNG", magic: "\x8bJNG\r\n\x1a\n"},
		{name: "DDS", magic: "DDS |\x00\x00\x00"},
		{name: "Icon (ICNS)", magic: "icns"},
		{name: "SGI", magic: "\x01\xda\x00", more: []string{"\x01\xda\x01"}},
		{name: "Sun raster", magic: "\x59\xa6\x6a\x95"},
		{name: "DPX", magic: "SDPX", more: []string{"XPDS"}},
		{name: "DjVu", magic: "AT&TFORM"},
		{name: "XPM", magic: "/* XPM */"},
		{name: "DICOM", at: 128, magic: "DICM"},
		{name: "FITS", magic: "SIMPLE  ="},
		{name: "Windows metafile (WMF)", magic: "\xd7\xcd\xc6\x9a"},
		{name: "Windows metafile (EMF)", at: 40, magic: " EMF"},
		{name: "PostScript (EPS)", magic: "%!PS", more: []string{"\xc5\xd0\xd3\xc6"}},
		{name: "Fujifilm raw (RAF)", magic: "FUJIFILMCCD-RAW"},
		{name: "Olympus raw (ORF)", magic: "IIRO", more: []string{"IIRS", "MMOR"}},
		{name: "Panasonic raw (RW2)", magic: "IIU\x00"},
		{name: "Amiga (ILBM)", magic: "FORM????ILBM", more: []string{"FORM????PBM "}},
	}
}

func foreignSounds() []foreignFormat {
	return []foreignFormat{
		{name: "DTS", kind: aSound, magic: "\x7f\xfe\x80\x01", more: []string{
			"\xfe\x7f\x01\x80", "\x1f\xff\xe8\x00", "\xff\x1f\x00\xe8", "DTSHDHDR", "\x64\x58\x20\x25",
		}},
		{name: "TrueHD", kind: aSound, at: 4, magic: "\xf8\x72\x6f\xba"},
		{name: "MLP", kind: aSound, at: 4, magic: "\xf8\x72\x6f\xbb"},
		{name: "TTA", kind: aSound, magic: "TTA1", more: []string{"TTA2"}},
		{name: "AMR", kind: aSound, magic: "#!AMR"},
		{name: "EVRC", kind: aSound, magic: "#!EVRC"},
		{name: "QCELP", kind: aSound, magic: "RIFF????QLCM"},
		{name: "Monkey's Audio (APE)", kind: aSound, magic: "MAC ?\x0f", more: []string{"MAC ?\x0e"}},
		{name: "Musepack", kind: aSound, magic: "MPCK", more: []string{"MP+"}},
		{name: "OptimFROG", kind: aSound, magic: "OFR "},
		{name: "TAK", kind: aSound, magic: "tBaK"},
		{name: "Shorten", kind: aSound, magic: "ajkg"},
		{name: "DSF", kind: aSound, magic: "DSD \x1c"},
		{name: "DSDIFF", kind: aSound, magic: "FRM8????????DSD "},
		{name: "RealAudio", kind: aSound, magic: ".ra\xfd"},
		{name: "Creative Voice (VOC)", kind: aSound, magic: "Creative Voice File\x1a"},
		{name: "Amiga (8SVX)", kind: aSound, magic: "FORM????8SVX", more: []string{"FORM????16SV"}},
		{name: "NIST Sphere", kind: aSound, magic: "NIST_1A\n"},
		{name: "LATM", kind: aSound, magic: "\x56\xe0"},
		{name: "MIDI", kind: noSound, magic: "MThd"},
		{name: "SMAF", kind: noSound, magic: "MMMD"},
		{name: "Tracker module (XM)", kind: noSound, magic: "Extended Module: "},
		{name: "Tracker module (IT)", kind: noSound, magic: "IMPM"},
		{name: "Tracker module (S3M)", kind: noSound, at: 44, magic: "SCRM"},
		{name: "Tracker module (MOD)", kind: noSound, at: 1080, magic: "M.K.", more: []string{"M!K!", "FLT4", "6CHN", "8CHN"}},
	}
}

func foreignFilms() []foreignFormat {
	return []foreignFormat{
		{name: "RealMedia", kind: aFilm, magic: ".RMF"},
		{name: "Flash animation (SWF)", kind: aFilm, magic: "FWS", more: []string{"CWS", "ZWS"}},
		{name: "NUT", kind: aFilm, magic: "nut/multimedia container"},
		{name: "Y4M (raw video)", kind: aFilm, magic: "YUV4MPEG2"},
		{name: "Raw DV", kind: aFilm, magic: "\x1f\x07\x00", more: []string{"\x1f\x07\x80"}},
		{name: "Windows TV (WTV)", kind: aFilm, magic: "\xb7\xd8\x00\x20\x37\x49\xda\x11"},
		{name: "GXF", kind: aFilm, magic: "\x00\x00\x00\x00\x01\xbc"},
		{name: "Bink", kind: aFilm, magic: "BIK?", more: []string{"KB2?"}},
		{name: "Smacker", kind: aFilm, magic: "SMK2", more: []string{"SMK4"}},
		{name: "FLIC", kind: aFilm, at: 4, magic: "\x11\xaf", more: []string{"\x12\xaf"}},
		{name: "NSV", kind: aFilm, magic: "NSVf", more: []string{"NSVs"}},
		{name: "AMV", kind: aFilm, magic: "RIFF????AMV "},
		{name: "Raw MPEG video", kind: aFilm, magic: "\x00\x00\x01\xb3"},
		{name: "Raw H.264", kind: aFilm, magic: "\x00\x00\x00\x01\x67", more: []string{
			"\x00\x00\x00\x01\x27", "\x00\x00\x00\x01\x09", "\x00\x00\x01\x67", "\x00\x00\x01\x09",
		}},
		{name: "Raw H.265", kind: aFilm, magic: "\x00\x00\x00\x01\x40\x01", more: []string{
			"\x00\x00\x00\x01\x42\x01", "\x00\x00\x00\x01\x46\x01", "\x00\x00\x01\x40\x01", "\x00\x00\x01\x46\x01",
		}},
		{name: "Raw AV1", kind: aFilm, magic: "\x12\x00\x0a"},
	}
}

// isTGA recognizes a TGA, which has no magic, by a header that is plausible in every field.
func isTGA(head []byte) bool {
	if len(head) < 18 {
		return false
	}

	mapped, kind := head[1], head[2]
	width, height := binary.LittleEndian.Uint16(head[12:]), binary.LittleEndian.Uint16(head[14:])

	depths := map[byte][]byte{1: {8}, 2: {15, 16, 24, 32}, 3: {8, 16}, 9: {8}, 10: {15, 16, 24, 32}, 11: {8, 16}}
	switch {
	case width == 0 || height == 0 || head[17]&0xc0 != 0 || !slices.Contains(depths[kind], head[16]):
		return false
	case kind == 1 || kind == 9:
		return mapped == 1 && slices.Contains([]byte{15, 16, 24, 32}, head[7])
	default:
		return mapped == 0 && binary.LittleEndian.Uint32(head[3:]) == 0 && head[7] == 0
	}
}

// isPNM recognizes the portable formats by their digit and the white space after it.
func isPNM(head []byte) bool {
	return len(head) > 3 && head[0] == 'P' && head[1] >= '1' && head[1] <= '7' && slices.Contains([]byte(" \t\r\n"), head[2])
}

func isPCX(head []byte) bool {
	return len(head) >= 128 && head[0] == 0x0a && head[1] <= 5 && head[2] == 1 && slices.Contains([]byte{1, 2, 4, 8}, head[3])
}
