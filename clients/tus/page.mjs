import * as tus from 'tus-js-client';
import { page } from '../page.mjs';
import { checks } from './checks.mjs';

await page((given) => checks(tus, given));
