import { getVideo } from '../made/hey-api';
import { client } from '../made/hey-api/client.gen';
import { report } from '../report.mjs';

const { API, KEY, VIDEO } = process.env as Record<string, string>;
client.setConfig({ baseUrl: API, auth: KEY });

await report({
  async video() {
    const { data, error } = await getVideo({ path: { id: VIDEO } });
    if (!data) throw new Error(error.message);

    const { id, name, durationSeconds, dimensions } = data.video;

    return { id, name, durationSeconds, dimensions };
  },
});
