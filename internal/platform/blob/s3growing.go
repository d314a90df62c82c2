package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// A growing blob is a series of objects, each named after its offset. The store creates an object only if
// none exists, so of several appends at one offset exactly one succeeds.

// s3Piece is one object of a growing blob.
type s3Piece struct {
	name     string
	from, to int64
	put      time.Time
}

// pieceFolder is the folder of a key's pieces. It is not a valid key, like growingName.
func (s *S3) pieceFolder(key string) string { return s.prefix + growingName + "/" + key + "/" }

func (s *S3) pieceName(key string, at int64) string {
	return s.pieceFolder(key) + fmt.Sprintf("%020d", at)
}

// begun is the object that stands for an empty append. Without it, an empty growing blob would look like one
// that nobody began.
func (s *S3) begun(key string) string { return s.pieceFolder(key) + "begun" }

// pieces returns the consecutive pieces from offset 0, and the offset where they end.
func (s *S3) pieces(ctx context.Context, key string) (all []s3Piece, end int64, err error) {
	found := map[int64]s3Piece{}

	folder := s.pieceFolder(key)
	for o := range s.client.Client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: folder, Recursive: true}) {
		if o.Err != nil {
			return nil, 0, o.Err
		}

		from, err := strconv.ParseInt(strings.TrimPrefix(o.Key, folder), 10, 64)
		if err == nil && o.Size > 0 {
			found[from] = s3Piece{name: o.Key, from: from, to: from + o.Size, put: o.LastModified}
		}
	}

	for next, ok := found[0]; ok; next, ok = found[end] {
		all, end = append(all, next), next.to
	}

	return all, end, nil
}

// Append implements Store. What arrives is durable and readable in steps of s3Part.
func (s *S3) Append(ctx context.Context, key string, offset int64, r io.Reader) (int64, error) {
	if err := begin(ctx, key); err != nil {
		return 0, err
	}

	_, end, err := s.pieces(ctx, key)
	if err == nil && end != offset {
		err = fmt.Errorf("%w: it is %d bytes long", ErrOffset, end)
	}

	if err == nil && offset == 0 {
		err = s.unsettled(ctx, key)
	}

	if err != nil {
		return offset, failed(ctx, "append to", key, err)
	}

	in := &whole{r: contextReader{ctx, r}}

	at, err := s.take(ctx, key, offset, in)
	if at == 0 && err == nil {
		_, err = s.client.Client.PutObject(ctx, s.bucket, s.begun(key), http.NoBody, 0, minio.PutObjectOptions{DisableMultipart: true})
	}

	return at, in.failed(ctx, "append to", key, err)
}

// unsettled returns an error if the blob is complete, because it cannot grow then.
func (s *S3) unsettled(ctx context.Context, key string) error {
	there, err := Exists(ctx, s, key)
	if there {
		return ErrOffset
	}

	return err
}

// take stores all that r holds. What arrived before a failure or a canceled ctx is kept.
func (s *S3) take(ctx context.Context, key string, at int64, r io.Reader) (int64, error) {
	buf := make([]byte, s3Part)
	for {
		n, err := io.ReadFull(r, buf)
		if n > 0 {
			if err := s.putPiece(context.WithoutCancel(ctx), key, at, buf[:n]); err != nil {
				return at, err
			}

			at += int64(n)
		}

		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return at, context.Cause(ctx)
		}

		if err != nil {
			return at, err
		}
	}
}

// putPiece stores one piece unless it exists already or the blob was settled meanwhile.
func (s *S3) putPiece(ctx context.Context, key string, at int64, b []byte) error {
	name := s.pieceName(key, at)
	o := minio.PutObjectOptions{DisableMultipart: true}
	o.SetMatchETagExcept("*")

	if _, err := s.client.Client.PutObject(ctx, s.bucket, name, bytes.NewReader(b), int64(len(b)), o); err != nil {
		return err
	}

	if err := s.unsettled(ctx, key); err != nil {
		return errors.Join(err, s.client.RemoveObject(ctx, s.bucket, name, minio.RemoveObjectOptions{}))
	}

	return nil
}

// Grown implements Store.
func (s *S3) Grown(ctx context.Context, key string) (int64, error) {
	if err := begin(ctx, key); err != nil {
		return 0, err
	}

	_, end, err := s.pieces(ctx, key)

	return end, failed(ctx, "measure", key, err)
}

// OpenGrowing implements Store.
func (s *S3) OpenGrowing(ctx context.Context, key string) (Object, error) {
	if err := begin(ctx, key); err != nil {
		return Object{}, err
	}

	all, end, err := s.pieces(ctx, key)
	if err == nil && len(all) == 0 {
		err = ErrNotFound
	}

	if err != nil {
		return Object{}, failed(ctx, "open", key, err)
	}

	return Object{Stat: Stat{Size: end, ModTime: all[len(all)-1].put}, Content: s.read(ctx, key, all, end)}, nil
}

// read reads the pieces as one.
func (s *S3) read(ctx context.Context, key string, all []s3Piece, end int64) io.ReadSeekCloser {
	return &windows{size: end, fetch: func(at int64) (io.ReadCloser, error) {
		p := all[sort.Search(len(all), func(i int) bool { return all[i].to > at })]
		body, _, err := s.get(ctx, key, p.name, "", at-p.from, p.to-at)

		return body, failed(ctx, "read", key, err)
	}}
}

// Settle implements Store. The pieces pass through this process, using little memory.
func (s *S3) Settle(ctx context.Context, key string) (Stat, error) {
	if err := begin(ctx, key); err != nil {
		return Stat{}, err
	}

	all, end, err := s.pieces(ctx, key)
	if err != nil {
		return Stat{}, failed(ctx, "settle", key, err)
	}

	st, err := s.Stat(ctx, key)
	switch {
	case err == nil && st.Size >= end: // another process settled it and stopped before it removed all pieces
		return st, failed(ctx, "settle", key, s.forget(ctx, key))
	case err != nil && !errors.Is(err, ErrNotFound):
		return Stat{}, err
	case len(all) == 0:
		return s.settleNothing(ctx, key)
	}

	content := s.read(ctx, key, all, end)
	err = s.put(ctx, s.name(key), content, end)
	_ = content.Close() // a read-only body: an error of Close does not matter

	if err == nil {
		err = s.forget(ctx, key)
	}

	if err != nil {
		return Stat{}, failed(ctx, "settle", key, err)
	}

	return s.Stat(ctx, key)
}

// Regrow implements Store. The bytes pass through this process, using little memory.
func (s *S3) Regrow(ctx context.Context, from, key string) error {
	if err := errors.Join(begin(ctx, from), CheckKey(key)); err != nil {
		return err
	}

	_, end, err := s.pieces(ctx, key)
	if err != nil || end > 0 {
		return failed(ctx, "grow again", key, err)
	}

	o, err := s.Open(ctx, from)
	if err != nil {
		return err
	}

	defer func() { _ = o.Content.Close() }()

	if o.Size == 0 {
		return nil
	}

	return failed(ctx, "grow again", key, s.put(ctx, s.pieceName(key, 0), o.Content, o.Size))
}

// Join implements Store. The bytes pass through this process, using little memory.
func (s *S3) Join(ctx context.Context, key string, parts []Part) (Stat, error) {
	if err := begin(ctx, key); err != nil {
		return Stat{}, err
	}

	_, err := s.Stat(ctx, key)
	if errors.Is(err, ErrNotFound) {
		err = s.joinParts(ctx, key, parts)
	}

	if err != nil {
		return Stat{}, failed(ctx, "join", key, err)
	}

	for _, part := range parts {
		if err := s.forget(ctx, part.Key); err != nil {
			return Stat{}, failed(ctx, "join", key, err)
		}
	}

	return s.Stat(ctx, key)
}

// joinParts stores one object with the content of all parts.
func (s *S3) joinParts(ctx context.Context, key string, parts []Part) error {
	var (
		all  []io.Reader
		size int64
	)

	for _, part := range parts {
		pieces, end, err := s.pieces(ctx, part.Key)
		if err == nil && end != part.Size {
			err = fmt.Errorf("%w: only %d of %d bytes of a part have arrived", ErrNotFound, end, part.Size)
		}

		if err != nil {
			return err
		}

		if end > 0 {
			content := s.read(ctx, part.Key, pieces, end)
			defer func() { _ = content.Close() }() // a read-only body: an error of Close does not matter

			all = append(all, content)
		}

		size += end
	}

	return s.put(ctx, s.name(key), io.MultiReader(all...), size)
}

// Room implements Store. It always returns nil, because an object store does not report its free space.
func (*S3) Room(int64) error { return nil }

// settleNothing creates an empty blob if an empty growing blob was begun.
func (s *S3) settleNothing(ctx context.Context, key string) (Stat, error) {
	_, err := s.client.StatObject(ctx, s.bucket, s.begun(key), minio.StatObjectOptions{})
	if err == nil {
		err = s.put(ctx, s.name(key), http.NoBody, 0)
	}

	if err == nil {
		err = s.forget(ctx, key)
	}

	if err != nil {
		return Stat{}, failed(ctx, "settle", key, err)
	}

	return s.Stat(ctx, key)
}

// forget removes the pieces of a key.
func (s *S3) forget(ctx context.Context, key string) error {
	var faults []error

	for o := range s.client.Client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.pieceFolder(key), Recursive: true}) {
		if o.Err != nil {
			return o.Err
		}

		faults = append(faults, s.client.RemoveObject(ctx, s.bucket, o.Key, minio.RemoveObjectOptions{}))
	}

	return errors.Join(faults...)
}
