package blob

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// s3Part is how much of a body is held in memory during an upload, and the part size of large objects. S3
// allows 10,000 parts, which is 80 GB.
const s3Part = 8 << 20

// S3 keeps blobs in a bucket of an S3-compatible store. Any number of processes may share it.
type S3 struct {
	client *minio.Core
	bucket string
	prefix string // prefix of every key; empty, or ends with a slash
}

// OpenS3 returns the store of s3://[key:secret@]bucket[/prefix][?endpoint=URL&region=NAME]. Without a key it
// uses the usual sources of AWS credentials; without an endpoint it uses Amazon S3. The bucket must exist.
func OpenS3(ctx context.Context, u *url.URL) (*S3, error) {
	endpoint, err := url.Parse(cmp.Or(u.Query().Get("endpoint"), "https://s3.amazonaws.com"))
	if err != nil || endpoint.Host == "" || endpoint.Scheme != "http" && endpoint.Scheme != "https" || strings.Trim(endpoint.Path, "/") != "" {
		return nil, errors.New("blob storage: endpoint must be an http or https URL without a path")
	}

	if u.Host == "" {
		return nil, errors.New("blob storage: s3:// must be followed by a bucket name")
	}

	keys := credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
	})
	if secret, given := u.User.Password(); given {
		keys = credentials.NewStaticV4(u.User.Username(), secret, "")
	}

	client, err := minio.NewCore(endpoint.Host, &minio.Options{
		Creds: keys, Secure: endpoint.Scheme == "https", Region: u.Query().Get("region"),
	})
	if err != nil {
		return nil, fmt.Errorf("blob storage: %w", err)
	}

	s := &S3{client: client, bucket: u.Host}
	if prefix := strings.Trim(u.Path, "/"); prefix != "" {
		s.prefix = prefix + "/"
	}

	there, err := client.BucketExists(ctx, s.bucket)
	switch {
	case err != nil:
		return nil, fmt.Errorf("blob storage: reach bucket %s: %w", s.bucket, err)
	case !there:
		return nil, fmt.Errorf("blob storage: bucket %s does not exist", s.bucket)
	}

	return s, nil
}

// Path implements Store. It always returns false: there are no local files.
func (*S3) Path(string) (string, bool) { return "", false }

// name returns the object name of a key.
func (s *S3) name(key string) string { return s.prefix + key }

// failed turns errors of the store into those of this package, and a canceled context into its cause. A
// missing bucket is ErrUnavailable, not ErrNotFound: otherwise the rows that name its blobs would be dropped.
func failed(ctx context.Context, what, key string, err error) error {
	if err == nil {
		return nil
	}

	switch said := minio.ToErrorResponse(err); {
	case context.Cause(ctx) != nil:
		err = ended(ctx, err)
	case spoken(err):
	case said.Code == minio.NoSuchBucket:
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	case said.StatusCode == http.StatusNotFound, said.Code == minio.NoSuchKey:
		err = fmt.Errorf("%w: %w", ErrNotFound, err)
	case said.StatusCode == http.StatusInsufficientStorage, said.Code == "QuotaExceeded":
		err = fmt.Errorf("%w: %w", ErrNoSpace, err)
	case said.StatusCode == http.StatusPreconditionFailed, said.StatusCode == http.StatusConflict:
		err = fmt.Errorf("%w: %w", ErrOffset, err)
	default:
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}

	return fmt.Errorf("%s %s: %w", what, short(key), err)
}

// ended adds the cause of a canceled context to the error that it led to.
func ended(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
		return errors.Join(cause, err)
	}

	return err
}

// Put implements Store.
func (s *S3) Put(ctx context.Context, key string, r io.Reader) (Stat, error) {
	if err := begin(ctx, key); err != nil {
		return Stat{}, err
	}

	in := &whole{r: contextReader{ctx, r}}
	head := make([]byte, s3Part)
	n, err := io.ReadFull(in, head)

	small := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if small {
		err = context.Cause(ctx)
	}

	switch {
	case err != nil:
	case small:
		err = s.put(ctx, s.name(key), bytes.NewReader(head[:n]), int64(n))
	default:
		err = s.put(ctx, s.name(key), io.MultiReader(bytes.NewReader(head), in), -1)
	}

	if err := in.failed(ctx, "put", key, err); err != nil {
		return Stat{}, err
	}

	return s.Stat(ctx, key)
}

// whole is a body whose read errors cannot be mistaken for its end. io.ReadFull reports a broken connection
// and a short body with the same error, and a short last part is valid.
type whole struct {
	r      io.Reader
	broken error
}

// errBroken replaces the error that whole keeps.
var errBroken = errors.New("the body ended early")

// Read implements io.Reader.
func (w *whole) Read(b []byte) (int, error) {
	n, err := w.r.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		w.broken, err = err, errBroken
	}

	return n, err
}

// failed is like the function failed, except that an error of the body is not blamed on the store.
func (w *whole) failed(ctx context.Context, what, key string, err error) error {
	if w.broken != nil {
		return fmt.Errorf("%s %s: %w", what, short(key), ended(ctx, w.broken))
	}

	return failed(ctx, what, key, err)
}

// put uploads an object; a size of -1 means unknown.
func (s *S3) put(ctx context.Context, name string, r io.Reader, size int64) error {
	_, err := s.client.Client.PutObject(ctx, s.bucket, name, r, size, minio.PutObjectOptions{
		PartSize: s3Part, DisableMultipart: size >= 0 && size <= s3Part,
	})

	return err
}

// PutFile implements Store.
func (s *S3) PutFile(ctx context.Context, key, path string) (Stat, error) {
	if err := begin(ctx, key); err != nil {
		return Stat{}, err
	}

	f, err := os.Open(path)
	if err != nil {
		return Stat{}, fmt.Errorf("put %s: %w", short(key), err)
	}

	defer func() { _ = f.Close() }()

	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return Stat{}, errors.Join(fmt.Errorf("put %s: not a regular file", short(key)), said(err))
	}

	if err := s.put(ctx, s.name(key), f, st.Size()); err != nil {
		return Stat{}, failed(ctx, "put", key, err)
	}

	if err := os.Remove(path); err != nil {
		return Stat{}, fmt.Errorf("put %s: %w", short(key), said(err))
	}

	return s.Stat(ctx, key)
}

// Stat implements Store.
func (s *S3) Stat(ctx context.Context, key string) (Stat, error) {
	if err := begin(ctx, key); err != nil {
		return Stat{}, err
	}

	info, err := s.client.StatObject(ctx, s.bucket, s.name(key), minio.StatObjectOptions{})
	if err != nil {
		return Stat{}, failed(ctx, "stat", key, err)
	}

	return Stat{Size: info.Size, ModTime: info.LastModified}, nil
}

// Open implements Store. It fetches the first window at once, so a blob that fits into it stays consistent if
// it is replaced. For a larger blob that is replaced, the next window fails.
func (s *S3) Open(ctx context.Context, key string) (Object, error) {
	if err := begin(ctx, key); err != nil {
		return Object{}, err
	}

	body, info, err := s.get(ctx, key, s.name(key), "", 0, windowSize)
	if minio.ToErrorResponse(err).StatusCode == http.StatusRequestedRangeNotSatisfiable { // the object is empty
		st, err := s.Stat(ctx, key)

		return Object{Stat: st, Content: &windows{}}, err
	}

	if err != nil {
		return Object{}, failed(ctx, "open", key, err)
	}

	content := &windows{size: info.Size, open: body, fetch: func(at int64) (io.ReadCloser, error) {
		body, _, err := s.get(ctx, key, s.name(key), info.ETag, at, windowSize)

		return body, failed(ctx, "read", key, err)
	}}

	return Object{Stat: Stat{Size: info.Size, ModTime: info.LastModified}, Content: content}, nil
}

// get fetches length bytes of a key's object from offset at, and returns the object's total size. If etag is
// not empty, the object must still have it.
func (s *S3) get(ctx context.Context, key, name, etag string, at, length int64) (io.ReadCloser, minio.ObjectInfo, error) {
	var o minio.GetObjectOptions
	if err := o.SetRange(at, at+length-1); err != nil {
		return nil, minio.ObjectInfo{}, err
	}

	if etag != "" {
		if err := o.SetMatchETag(etag); err != nil {
			return nil, minio.ObjectInfo{}, err
		}
	}

	body, info, header, err := s.client.GetObject(ctx, s.bucket, name, o)
	if err != nil {
		return nil, info, err
	}

	if _, all, found := strings.Cut(header.Get("Content-Range"), "/"); found {
		if info.Size, err = strconv.ParseInt(all, 10, 64); err != nil {
			return nil, info, errors.Join(fmt.Errorf("malformed Content-Range of the object store: %q", header.Get("Content-Range")), body.Close())
		}
	}

	return answer{body, func(err error) error { return failed(ctx, "read", key, err) }}, info, nil
}

// answer is the body of a response, which may end early like any connection.
type answer struct {
	io.ReadCloser

	failed func(error) error
}

// Read implements io.Reader.
func (a answer) Read(b []byte) (int, error) {
	n, err := a.ReadCloser.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		err = a.failed(err)
	}

	return n, err
}

// Delete implements Store.
func (s *S3) Delete(ctx context.Context, key string) error {
	if err := begin(ctx, key); err != nil {
		return err
	}

	err := s.client.RemoveObject(ctx, s.bucket, s.name(key), minio.RemoveObjectOptions{})
	if err == nil {
		err = s.forget(ctx, key)
	}

	if err := failed(ctx, "delete", key, err); !errors.Is(err, ErrNotFound) {
		return err
	}

	return nil
}

// longestPut is how much older than other leftovers the parts of a large object must be before they are
// removed. Only the time of the first part is known, and a slow upload may still be sending the last.
const longestPut = 6 * 24 * time.Hour

// Sweep implements Store. A dead process leaves the parts of unfinished objects, which cost money until they
// are aborted. Only keys of NewKey's format are removed, because others may use the bucket too.
func (s *S3) Sweep(ctx context.Context, before time.Time) error {
	var faults []error

	for u := range s.client.ListIncompleteUploads(ctx, s.bucket, s.prefix, true) {
		if u.Err != nil {
			faults = append(faults, failed(ctx, "sweep", s.prefix, u.Err))

			continue
		}

		key := strings.TrimPrefix(u.Key, s.prefix)
		if !u.Initiated.Before(before.Add(-longestPut)) || !madeKey.MatchString(key) {
			continue
		}

		err := failed(ctx, "sweep", key, s.client.AbortMultipartUpload(ctx, s.bucket, u.Key, u.UploadID))
		if !errors.Is(err, ErrNotFound) { // it ended meanwhile
			faults = append(faults, err)
		}
	}

	return errors.Join(faults...)
}
