// Audits a server of GraphQL over HTTP and prints what it finds: node audit.mjs ADDRESS KEY
import { auditServer } from 'graphql-http';

const [url, key] = process.argv.slice(2);
const results = await auditServer({
  url,
  fetchFn: (address, init = {}) =>
    fetch(address, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } }),
});

const found = results.map(({ id, name, status, reason }) => ({ id, name, status, reason }));
console.log(JSON.stringify(found));
