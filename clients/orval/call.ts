import { getVideo } from '../made/orval/api';
import { report } from '../report.mjs';

const { API, KEY, VIDEO } = process.env as Record<string, string>;

await report({
  async video() {
    const { data } = await getVideo(VIDEO, { baseURL: API, headers: { Authorization: `Bearer ${KEY}` } });
    const { id, name, durationSeconds, dimensions } = data.video;

    return { id, name, durationSeconds, dimensions };
  },
});
