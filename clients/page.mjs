import { read } from './report.mjs';

// What a page is given stands in its address; the file and where to report to are beside it.
export async function page(checks) {
  const given = Object.fromEntries(new URLSearchParams(location.search));
  const bytes = await (await fetch('file')).blob();
  const values = await read(checks({ ...given, file: new File([bytes], given.name, { type: 'video/mp4' }), size: bytes.size }));

  await fetch('values', { method: 'POST', body: JSON.stringify(values) });
}
