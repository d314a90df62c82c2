package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// errDamaged is a file whose content is not what was sealed.
var errDamaged = errors.New("the file is damaged")

// A seal is the last box of an MP4 file: players pass over it. In it is the CRC-32C of all that stands before it, of which
// any change of up to 32 bits in a row, and all but one in four thousand million of the others, is found.
const sealBytes = 16

// sealBegins are the seal's length, its kind, and what tells it from other boxes of that kind.
var sealBegins = []byte("\x00\x00\x00\x10freecrc ")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal seals a finished MP4 file; one that is sealed already stays as it is.
func seal(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()

	if err := readSealed(context.Background(), f); !errors.Is(err, errDamaged) {
		return err
	}

	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}

	sum, err := checksum(context.Background(), f, size)
	if err != nil {
		return err
	}

	_, err = f.Write(binary.BigEndian.AppendUint32(bytes.Clone(sealBegins), sum))

	return err
}

// checkSealed reads a whole file and fails with errDamaged when it is not what was sealed.
func checkSealed(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()

	return readSealed(ctx, f)
}

func readSealed(ctx context.Context, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}

	content := info.Size() - sealBytes
	if content < 0 {
		return fmt.Errorf("%w: it has %d bytes", errDamaged, info.Size())
	}

	var found [sealBytes]byte
	if _, err := f.ReadAt(found[:], content); err != nil {
		return err
	}

	sum, sealed := bytes.CutPrefix(found[:], sealBegins)
	if !sealed {
		return fmt.Errorf("%w: it does not end in its seal", errDamaged)
	}

	is, err := checksum(ctx, f, content)
	if err == nil && is != binary.BigEndian.Uint32(sum) {
		err = fmt.Errorf("%w: its checksum is %08x, and was %x", errDamaged, is, sum)
	}

	return err
}

// checksum is that of the first bytes of a file. It ends with the cause of the context when that is done.
func checksum(ctx context.Context, f *os.File, bytes int64) (uint32, error) {
	sum := crc32.New(castagnoli)
	_, err := io.CopyN(sum, until{ctx, io.NewSectionReader(f, 0, bytes)}, bytes)

	return sum.Sum32(), err
}

// until reads until its context is done.
type until struct {
	ctx context.Context //nolint:containedctx // it lives for one file
	in  io.Reader
}

func (u until) Read(b []byte) (int, error) {
	if err := context.Cause(u.ctx); err != nil {
		return 0, err
	}

	return u.in.Read(b)
}
