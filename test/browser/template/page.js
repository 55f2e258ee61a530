// A page that runs simulations in YAML: the packages are loaded when they are needed, and files are in memory.
async function run({ name, yaml, restart, click, folders, ...options }) {
  const [core, { files, ...disk }, { createExecutionContext }, { createRegistry, gridKey }] =
    await Promise.all([
      import('@corpuscle/core'),
      import('@corpuscle/core/files'),
      import('@corpuscle/patterns'),
      import('@corpuscle/operators'),
    ]);
  files.write('input.yaml', yaml);
  const simulation = core.loadSimulation(['input.yaml'], { operators: createRegistry() });
  const checkpoint = restart
    ? await core.findRestart(simulation, { outputDirectory: name, note: () => {} })
    : null;
  const context = await createExecutionContext(options);
  const { backend, threads } = context;
  try {
    const settings = { context, outputDirectory: name, restart: checkpoint };
    const { status, state } = await core.runSimulation(simulation, settings);
    const picked = click && (await pick(context, state.find(gridKey), click));
    if (folders) await throughFolder(files, disk, name);
    const written = files.list(name).map((file) => [file, [...files.read(file)]]);
    return { status, backend, threads, picked, files: Object.fromEntries(written) };
  } finally {
    await context.close();
  }
}

/** Files go into a folder that the browser has, are forgotten, and come back; the first is downloaded. */
async function throughFolder(files, { loadFolder, saveFile, saveFolder }, name) {
  const names = files.list(name);
  const folder = await navigator.storage.getDirectory();
  await saveFolder(folder, name);
  for (const one of names) files.remove(one);
  if (files.list(name).length > 0) throw new Error('files are still there');
  await loadFolder(folder, name);
  const downloads = [];
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () {
    downloads.push(this);
  };
  saveFile(names[0]);
  HTMLAnchorElement.prototype.click = click;
  const [{ href, download }] = downloads;
  files.write(`${name}/downloaded-${download}`, await (await fetch(href)).text());
}

/** What a click into a picture finds. */
async function pick(context, grid, [x, y]) {
  const { createView } = await import('@corpuscle/view');
  const view = createView({ context, grid, size: [300, 150] });
  const picked = await view.pick(x, y);
  view.close();
  return picked;
}

const post = (where, answer) => fetch(where, { method: 'POST', body: JSON.stringify(answer) });

addEventListener('error', (event) => post('/failed', event.message));
addEventListener('unhandledrejection', ({ reason }) => post('/failed', String(reason?.stack)));
globalThis.corpuscle = { CORPUSCLE_SOFTWARE_GPU: '1' };
const runs = await (await fetch('/input.json')).json();
const results = [];
for (const one of runs) results.push(await run(one).catch(({ message }) => ({ error: message })));
await post('/done', { isolated: crossOriginIsolated, results });
