import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/core';
import { exitCode } from '../../exitCodes.js';
import { formatError } from '../../output/formatError.js';
import type { InputOptions, RunOptions } from '../../program/options.js';
import type { Streams } from '../../Streams.js';
import { Interruption } from '../../signals/Interruption.js';
import { checkBackend, loadBackend } from '../backends.js';
import { contextFor } from '../contextFor.js';
import { loadInput } from '../loadInput.js';
import { loadOperators } from '../loadOperators.js';
import { allowedPlugins } from '../plugins.js';
import { ViewedRun } from './ViewedRun.js';
import { viewServer } from './viewServer.js';

/** Options of `view`, as commander gives them. */
export interface ViewOptions
  extends InputOptions,
    Pick<RunOptions, 'backend' | 'threads' | 'precision' | 'output' | 'overwrite' | 'kernelLimit'> {
  readonly port: number;
  readonly host: string;
  readonly open: boolean;
  /** Whether the file runs here, and the page looks. */
  readonly run: boolean;
}

/** `corpuscle view`: a file in the page of this machine, until the command is ended. */
export async function view(file: string, options: ViewOptions, streams: Streams): Promise<number> {
  if (options.run) return viewRun(file, options, streams);
  const { url } = await viewServer(pageFolder(), file, options);
  tell(url, options, streams);
  return new Promise<never>(() => {}); // until a signal ends the process
}

/** The file runs in this process; the run ends with the command. */
async function viewRun(file: string, options: ViewOptions, streams: Streams): Promise<number> {
  const note = (text: string) => streams.err(`${text}\n`);
  checkBackend(options.backend);
  // The first reading finds mistakes before anything is served, and asks for plugins.
  const { configuration } = await loadInput([file], options, streams);
  await loadBackend(options.backend ?? configuration.backend);
  const operators = await loadOperators(
    options.import,
    await allowedPlugins([file], options, streams),
  );
  const interruption = new Interruption(options.output, note);
  const run = new ViewedRun({
    ...{ file, set: options.set, output: options.output, operators, onNotice: note },
    older: options.overwrite ? 'replace' : 'keep',
    openContext: (simulation) => contextFor(simulation, options),
  });
  const server = await viewServer(pageFolder(), file, {
    ...options,
    onViewer: (socket) => run.join(socket),
  });
  const interrupted = once(interruption.signal, 'abort');
  try {
    tell(server.url, options, streams);
    await interruption.ready();
    await run.start();
    interruption.beginSteps();
    const error = await Promise.race([run.ended, interrupted.then(() => undefined)]);
    if (error !== undefined) streams.err(formatError(error, streams));
    else if (!interruption.signal.aborted) note('the run has ended; its page stays');
    await interrupted;
    return exitCode.interrupted;
  } finally {
    await run.close();
    server.close();
    interruption.close();
  }
}

function tell(url: string, { open }: ViewOptions, streams: Streams): void {
  streams.out(`${url}\n`);
  streams.err('Ctrl-C ends the server\n');
  if (open) openBrowser(url);
}

/** Where the page is: a build of the command puts it into its package. @throws CorpuscleError FILE_NOT_FOUND */
function pageFolder(): string {
  const manifest = createRequire(import.meta.url).resolve('@corpuscle/cli/package.json');
  const folder = path.join(path.dirname(manifest), 'dist/page');
  if (existsSync(path.join(folder, 'index.html'))) return folder;
  throw new CorpuscleError(
    'FILE_NOT_FOUND',
    `there is no page in ${folder}: install @corpuscle/cli again, or build it in a checkout with pnpm run build`,
  );
}

/** Opens the browser of the system; where there is none, the address has been printed. */
function openBrowser(url: string): void {
  const [command, ...before] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '']
        : ['xdg-open'];
  spawn(command!, [...before, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
