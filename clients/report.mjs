// Runs the checks of a client one by one and returns what each read. A failed check returns its error; the others still
// run.
export async function read(checks, patience = 20_000) {
  const values = {};

  for (const [name, check] of Object.entries(checks)) {
    try {
      values[name] = await within(patience, check());
    } catch (e) {
      values[name] = { error: String(e?.message ?? e) };
    }
  }

  return values;
}

// Prints the result as one line of JSON for the runner, and exits even if the client keeps something open.
export async function report(checks) {
  process.stdout.write(JSON.stringify(await read(checks)) + '\n', () => process.exit(0));
}

function within(patience, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), patience);
  });

  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
