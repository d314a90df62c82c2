import createClient from 'openapi-fetch';
import type { paths } from '../made/openapi-typescript/api';
import { report } from '../report.mjs';

const { API, KEY, VIDEO } = process.env as Record<string, string>;
const client = createClient<paths>({ baseUrl: API, headers: { Authorization: `Bearer ${KEY}` } });

await report({
  async video() {
    const { data, error } = await client.GET('/v1/videos/{id}', { params: { path: { id: VIDEO } } });
    if (error) throw new Error(error.message);

    const { id, name, durationSeconds, dimensions } = data.video;

    return { id, name, durationSeconds, dimensions };
  },
});
