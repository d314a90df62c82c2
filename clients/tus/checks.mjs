// tus-js-client uploads a file in chunks, stops after the first one, and continues from a new Upload like a reloaded
// page. The same code runs in Node and in a browser; `file` is what tus-js-client accepts there.
const chunkSize = 128 << 10;

export function checks(tus, { api, key, file, name, size }) {
  const headers = { Authorization: `Bearer ${key}` };

  // One upload, from the beginning or from an existing address. `stop` ends it after its first chunk.
  function send(options, stop) {
    return new Promise((resolve, reject) => {
      const seen = { requests: [] };
      const done = () => resolve({ ...seen, address: upload.url });

      const upload = new tus.Upload(file, {
        chunkSize,
        retryDelays: null,
        storeFingerprintForResuming: false,
        onBeforeRequest: (request) => void seen.requests.push(request.getMethod()),
        onAfterResponse: (_, response) => void (seen.source ??= response.getHeader('Reelgraph-Source-Id')),
        onChunkComplete(_, accepted, total) {
          Object.assign(seen, { accepted, total });
          if (stop) upload.abort().then(done, reject);
        },
        onSuccess: done,
        onError: reject,
        ...options,
      });
      upload.start();
    });
  }

  async function inTwoGoes(options) {
    const first = await send(options, true);
    const second = await send({ uploadUrl: first.address }, false);

    return {
      source: first.source,
      requests: [...first.requests, ...second.requests].join(' '),
      stoppedAt: first.accepted,
      accepted: second.accepted,
      total: second.total,
    };
  }

  const creation = { endpoint: `${api}/uploads`, headers, metadata: { filename: name, filetype: 'video/mp4' } };

  return {
    // The client creates the upload itself and learns the id of the source.
    creation: () => inTwoGoes(creation),

    // The first chunk is sent with the request that creates the upload.
    async together() {
      const { source, requests } = await send({ ...creation, uploadDataDuringCreation: true });

      return { source, requests: requests.join(' ') };
    },

    // Two parallel uploads become one.
    async parallel() {
      const { source, requests } = await send({ ...creation, parallelUploads: 2 });

      return { source, made: requests.filter((method) => method === 'POST').length };
    },

    // The API has created the source; its uploadUrl needs no key.
    async address() {
      const answer = await fetch(`${api}/v1/sources`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, bytes: size }),
      });
      const { sourceId, uploadUrl } = await answer.json();

      return { ...(await inTwoGoes({ uploadUrl })), source: sourceId };
    },
  };
}
