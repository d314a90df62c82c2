import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import * as tus from 'tus-js-client';
import { report } from '../report.mjs';
import { checks } from './checks.mjs';

const { API: api, KEY: key, FILE: path } = process.env;

// A stream with a path: tus-js-client reopens the file wherever it continues.
await report(checks(tus, { api, key, file: createReadStream(path), name: basename(path), size: statSync(path).size }));
