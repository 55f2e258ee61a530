import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/core';
import type { Streams } from '../../Streams.js';
import { viewServer } from './viewServer.js';

/** Options of `view`, as commander gives them. */
export interface ViewOptions {
  readonly port: number;
  readonly open: boolean;
}

/** `corpuscle view`: a file in the page, which runs and draws on the machine of its browser, until the command is ended. */
export async function view(file: string, options: ViewOptions, streams: Streams): Promise<never> {
  const { url } = await viewServer(pageFolder(), file, options.port);
  streams.out(`${url}\n`);
  streams.err('Ctrl-C ends the server\n');
  if (options.open) openBrowser(url);
  return new Promise<never>(() => {}); // until a signal ends the process
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
