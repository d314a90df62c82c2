package encode

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
)

var (
	// errDamaged means that a file's content differs from what was sealed.
	errDamaged = errors.New("the file is damaged")
	// errUnsealed means that a file does not end in a seal.
	errUnsealed = fmt.Errorf("%w: the checksum at its end is missing", errDamaged)
)

// A seal is the last box of an MP4 file, which players ignore. It holds the CRC-32C of everything before it and of the
// key of the file. That finds every change of up to 32 consecutive bits, and of other changes all but one in four
// billion.
const sealBytes = 16

// sealBegins is the seal's length, its kind, and a mark that tells it from other boxes of that kind.
const sealBegins = "\x00\x00\x00\x10freecrc "

// seal seals a finished MP4 file and syncs it, so that it survives a crash of the machine. A sealed file stays as it
// is; one that was damaged since gives errDamaged.
func seal(ctx context.Context, path, key string) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, f.Close()) }()

	if err := readSealed(ctx, f, key); !errors.Is(err, errUnsealed) {
		return err
	}

	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}

	sum, err := checksum(ctx, f, size, key)
	if err != nil {
		return err
	}

	if _, err := f.Write(binary.BigEndian.AppendUint32([]byte(sealBegins), sum)); err != nil {
		return err
	}

	return f.Sync()
}

// checkSealed reads a whole file. It returns errDamaged if the content differs from what was sealed for the key.
func checkSealed(ctx context.Context, path, key string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()

	return readSealed(ctx, f, key)
}

func readSealed(ctx context.Context, f *os.File, key string) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}

	content := info.Size() - sealBytes
	if content < 0 {
		return errUnsealed
	}

	var found [sealBytes]byte
	if _, err := f.ReadAt(found[:], content); err != nil {
		return err
	}

	was, sealed := strings.CutPrefix(string(found[:]), sealBegins)
	if !sealed {
		return errUnsealed
	}

	sum, err := checksum(ctx, f, content, key)
	if err == nil && sum != binary.BigEndian.Uint32([]byte(was)) {
		err = fmt.Errorf("%w: its checksum is %08x instead of %x", errDamaged, sum, was)
	}

	return err
}

// checksum returns the checksum of the first bytes of a file and its key, or the cause of the context when it is done.
func checksum(ctx context.Context, f *os.File, bytes int64, key string) (uint32, error) {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	_, err := io.Copy(sum, until{ctx, io.MultiReader(io.NewSectionReader(f, 0, bytes), strings.NewReader(key))})

	return sum.Sum32(), err
}

// until reads until its context is done, and then fails with the cause.
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
