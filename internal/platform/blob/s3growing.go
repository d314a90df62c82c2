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

// A growing blob is a row of objects, each named by where it begins. The store makes an object only
// where there is none, so of several that append at one offset exactly one goes on.

// s3Piece is one of them.
type s3Piece struct {
	name     string
	from, to int64
	put      time.Time
}

// pieceFolder is where the pieces of a key are; no key, as growingName.
func (s *S3) pieceFolder(key string) string { return s.prefix + growingName + "/" + key + "/" }

func (s *S3) pieceName(key string, at int64) string {
	return s.pieceFolder(key) + fmt.Sprintf("%020d", at)
}

// begun is the object that stands for an append of nothing: without it a blob of no bytes could not be told
// from one that nobody began.
func (s *S3) begun(key string) string { return s.pieceFolder(key) + "begun" }

// pieces are those that follow each other from the beginning, and where they end.
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

// Append implements Store. What arrives is safe, and can be read, piece by piece of s3Part.
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

// unsettled refuses to let a blob grow that is complete.
func (s *S3) unsettled(ctx context.Context, key string) error {
	there, err := Exists(ctx, s, key)
	if there {
		return ErrOffset
	}
	return err
}

// take keeps all that r holds. What had come when it failed, or ctx ended, is kept all the same.
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

// putPiece keeps one piece, unless there is one already or the blob was settled meanwhile.
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

// read reads pieces as one.
func (s *S3) read(ctx context.Context, key string, all []s3Piece, end int64) io.ReadSeekCloser {
	return &windows{size: end, fetch: func(at int64) (io.ReadCloser, error) {
		p := all[sort.Search(len(all), func(i int) bool { return all[i].to > at })]
		body, _, err := s.get(ctx, key, p.name, "", at-p.from, p.to-at)
		return body, failed(ctx, "read", key, err)
	}}
}

// Settle implements Store. The pieces pass through this process, in little memory.
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
	case err == nil && st.Size >= end: // settled before, by somebody who did not come to remove all of the pieces
		return st, failed(ctx, "settle", key, s.forget(ctx, key))
	case err != nil && !errors.Is(err, ErrNotFound):
		return Stat{}, err
	case len(all) == 0:
		return s.settleNothing(ctx, key)
	}
	content := s.read(ctx, key, all, end)
	err = s.put(ctx, s.name(key), content, end)
	_ = content.Close() // it was only read
	if err == nil {
		err = s.forget(ctx, key)
	}
	if err != nil {
		return Stat{}, failed(ctx, "settle", key, err)
	}
	return s.Stat(ctx, key)
}

// Regrow implements Store. The bytes pass through this process, in little memory.
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

// Join implements Store. The bytes pass through this process, in little memory.
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

// joinParts puts one object that holds all of the parts.
func (s *S3) joinParts(ctx context.Context, key string, parts []Part) error {
	var (
		all  []io.Reader
		size int64
	)
	for _, part := range parts {
		pieces, end, err := s.pieces(ctx, part.Key)
		if err == nil && end != part.Size {
			err = fmt.Errorf("%w: %d of %d bytes of a part are there", ErrNotFound, end, part.Size)
		}
		if err != nil {
			return err
		}
		if end > 0 {
			content := s.read(ctx, part.Key, pieces, end)
			defer func() { _ = content.Close() }() // it was only read
			all = append(all, content)
		}
		size += end
	}
	return s.put(ctx, s.name(key), io.MultiReader(all...), size)
}

// Room implements Store: nobody knows.
func (*S3) Room(int64) error { return nil }

// settleNothing makes a blob of no bytes, if one was begun.
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
