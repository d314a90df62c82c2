// Runs the checks of a client one by one and returns what each has read. One that fails says why, and the others go on.
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

// Prints it as one line of JSON for the runner, and ends whatever the client still keeps open.
export async function report(checks) {
  process.stdout.write(JSON.stringify(await read(checks)) + '\n', () => process.exit(0));
}

function within(patience, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('nothing came in time')), patience);
  });

  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
