# syntax=docker/dockerfile:1
# The product as an image. Whoever wants exactly the same base every time gives its digest:
#   docker build --build-arg BASE=debian@sha256:… --build-arg GO=golang@sha256:… .
ARG GO=golang:1.26.0-bookworm
ARG BASE=debian:12.12-slim

FROM ${GO} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags="-s -w" -o /out/reelgraph ./cmd/reelgraph

# An S3-compatible store over a folder, for compose.yaml: the one that the tests of object storage use.
FROM ${GO} AS build-storage
WORKDIR /src
COPY tools/s3/go.mod tools/s3/go.sum ./
RUN CGO_ENABLED=0 GOBIN=/out go install github.com/versity/versitygw/cmd/versitygw

FROM ${BASE} AS storage
RUN mkdir -p /data/reelgraph /about && chown -R 10001:10001 /data /about
COPY --from=build-storage /out/versitygw /usr/local/bin/versitygw
USER 10001:10001
EXPOSE 7070
ENTRYPOINT ["versitygw"]
CMD ["--port", ":7070", "posix", "--sidecar", "/about", "/data"]

# What the product starts: FFmpeg, fonts for texts, and speech recognition that works offline. Postgres is
# beside it. Versions are those of the distribution's release, which gets its security updates.
FROM ${BASE} AS serve
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --no-install-recommends --yes ca-certificates ffmpeg fonts-dejavu-core fonts-droid-fallback fonts-ebgaramond \
    fonts-inter fonts-jetbrains-mono fonts-lato fonts-lobster fonts-noto-color-emoji fonts-noto-core fonts-open-sans \
    fonts-roboto-unhinted pocketsphinx pocketsphinx-en-us \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o 10001 -g 10001 /data
COPY --from=build /out/reelgraph /usr/local/bin/reelgraph

# Nothing is written but /data and /tmp: the rest may be mounted read-only.
USER 10001:10001
ENV REELGRAPH_ADDR=0.0.0.0:8080 \
    REELGRAPH_DATA=/data \
    REELGRAPH_METRICS_ADDR=0.0.0.0:9090
VOLUME /data
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["reelgraph", "ready"]
ENTRYPOINT ["reelgraph"]
CMD ["serve"]
