import Uppy from '@uppy/core';
import Tus from '@uppy/tus';
import { page } from '../page.mjs';

// @uppy/tus uploads a file of the page in chunks.
await page(({ api, key, file, name }) => ({
  async upload() {
    let source;
    const uppy = new Uppy().use(Tus, {
      endpoint: `${api}/uploads`,
      headers: { Authorization: `Bearer ${key}` },
      chunkSize: 128 << 10,
      retryDelays: null,
      onAfterResponse: (_, response) => void (source ??= response.getHeader('Reelgraph-Source-Id')),
    });
    uppy.addFile({ name, type: file.type, data: file });

    const { successful, failed } = await uppy.upload();
    if (failed.length > 0) throw failed[0].error;

    const { bytesUploaded, bytesTotal } = uppy.getFile(successful[0].id).progress;

    return { source, accepted: bytesUploaded, total: bytesTotal };
  },
}));
