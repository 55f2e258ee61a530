import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';

const flags = [
  '--headless=shell',
  '--no-sandbox',
  '--no-zygote',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--no-proxy-server',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
];

/** Why there is no Chromium, or null. It comes from npm, with the libraries that a bare machine lacks, for x64 Linux only. */
export const noChromium: string | null =
  process.platform === 'linux' && process.arch === 'x64'
    ? null
    : `the Chromium from npm is for x64 Linux, not ${process.platform}-${process.arch}`;

/** Unpacks Chromium once; it appears whole or not at all, also when several processes do so. */
async function unpackChromium(): Promise<string> {
  const home = join(process.env.XDG_CACHE_HOME ?? os.tmpdir(), 'corpuscle-chromium-147');
  if (existsSync(join(home, 'chromium'))) return home;
  const before = { ...process.env };
  const scratch = `${home}.${process.pid}`;
  mkdirSync(scratch, { recursive: true });
  try {
    process.env.TMPDIR = scratch; // where the package unpacks to
    process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs20.x'; // makes it unpack the libraries too
    const { default: chromium } = await import('@sparticuz/chromium');
    await chromium.executablePath();
  } finally {
    for (const name of [
      'TMPDIR',
      'AWS_EXECUTION_ENV',
      'LD_LIBRARY_PATH',
      'FONTCONFIG_PATH',
      'HOME',
    ]) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
  try {
    renameSync(scratch, home);
  } catch {
    rmSync(scratch, { recursive: true, force: true }); // another process was first
  }
  return home;
}

/**
 * Runs a script in a page of headless Chromium, with WebGL 2 on SwiftShader. The script finds `input` and calls
 * `finish(result)`; both are JSON.
 *
 * @throws when the page reports an error, or nothing within a minute.
 */
export async function runInChromium(script: string, input: unknown): Promise<unknown> {
  const home = await unpackChromium();
  const pages: Record<string, [type: string, text: string]> = {
    '/': ['text/html', '<!doctype html><meta charset="utf-8"><script src="/script.js"></script>'],
    '/script.js': ['text/javascript', `${prelude}${script}\n})().catch(fail);`],
    '/input.json': ['application/json', JSON.stringify(input)],
  };
  const profile = mkdtempSync(join(os.tmpdir(), 'corpuscle-chromium-profile-'));
  let browser: ChildProcess | undefined;
  const { promise, resolve, reject } = deferred<unknown>();
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (request.method !== 'POST') {
      response.writeHead(page ? 200 : 404, { 'content-type': page?.[0] ?? 'text/plain' });
      response.end(page?.[1] ?? '');
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      response.end();
      if (request.url === '/done') resolve(JSON.parse(text));
      else reject(new Error(text));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const timer = setTimeout(() => reject(new Error('Chromium gave no answer in a minute')), 60_000);
  try {
    const { port } = server.address() as AddressInfo;
    const paths = [join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean);
    browser = spawn(
      join(home, 'chromium'),
      [...flags, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`],
      // A group of its own, so that all its processes end together.
      {
        stdio: 'ignore',
        detached: true,
        env: { ...process.env, LD_LIBRARY_PATH: paths.join(':') },
      },
    );
    browser.on('error', reject);
    browser.on('exit', (code) => reject(new Error(`Chromium ended with code ${code}`)));
    return await promise;
  } finally {
    clearTimeout(timer);
    if (browser) await ended(browser);
    server.closeAllConnections();
    server.close();
    removeProfile(profile);
  }
}

function ended(browser: ChildProcess): Promise<void> {
  return new Promise((done) => {
    browser.on('exit', () => done());
    if (browser.exitCode !== null || !killGroup(browser.pid)) done();
  });
}

function killGroup(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 'SIGKILL');
  } catch {
    return false; // it has ended
  }
}

/** Where a process of the browser still writes, what is left of a temporary folder does no harm. */
function removeProfile(profile: string): void {
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

const prelude = `const post = (where, text) => fetch(where, { method: 'POST', body: text });
const fail = (error) => post('/failed', String(error && error.stack || error));
const finish = (result) => post('/done', JSON.stringify(result));
window.addEventListener('error', (event) => fail(event.error || event.message));
(async () => {
const input = await (await fetch('/input.json')).json();
`;

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
