import { read } from './report.mjs';

// The page's parameters are in its URL; the file and the report address are next to it.
export async function page(checks) {
  const given = Object.fromEntries(new URLSearchParams(location.search));
  const bytes = await (await fetch('file')).blob();
  const values = await read(checks({ ...given, file: new File([bytes], given.name, { type: 'video/mp4' }), size: bytes.size }));

  await fetch('values', { method: 'POST', body: JSON.stringify(values) });
}
