// tus-js-client uploads a file in chunks, is stopped after the first one, and goes on from a new Upload as a
// reloaded page would. The same in Node and in a browser: `file` is what tus-js-client takes there.
const chunkSize = 128 << 10;

export function checks(tus, { api, key, file, name, size }) {
  const headers = { Authorization: `Bearer ${key}` };

  // One upload from the beginning or from where an address is; `stop` ends it after its first chunk.
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
    // The client makes the upload itself, and is told which source that became.
    creation: () => inTwoGoes(creation),

    // The first chunk comes with the request that makes the upload.
    async together() {
      const { source, requests } = await send({ ...creation, uploadDataDuringCreation: true });

      return { source, requests: requests.join(' ') };
    },

    // Two uploads side by side become one.
    async parallel() {
      const { source, requests } = await send({ ...creation, parallelUploads: 2 });

      return { source, made: requests.filter((method) => method === 'POST').length };
    },

    // The API has made the source, and its uploadUrl needs no key.
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
