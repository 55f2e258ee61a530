import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';

const flags = [
  '--headless=shell',
  '--lang=en-US',
  '--accept-lang=en-US',
  '--no-sandbox',
  '--no-zygote',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension',
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

/** A browser that is running. */
export interface Visit {
  readonly process: ChildProcess;
  /** Rejects when the browser ends by itself. */
  readonly ended: Promise<never>;
  /** Ends the browser with all its processes. */
  end(): Promise<void>;
}

/** Opens a page in headless Chromium, with WebGL 2 and WebGPU on SwiftShader. */
export const visit = (url: string): Promise<Visit> => launch([url], 'ignore');

/** Starts headless Chromium with more arguments. */
export async function launch(more: readonly string[], stdio: StdioOptions): Promise<Visit> {
  const home = await unpackChromium();
  const profile = mkdtempSync(join(os.tmpdir(), 'corpuscle-chromium-profile-'));
  const paths = [join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean);
  const browser = spawn(
    join(home, 'chromium'),
    [...flags, `--user-data-dir=${profile}`, ...more],
    // A group of its own, so that all its processes end together.
    { stdio, detached: true, env: { ...process.env, LD_LIBRARY_PATH: paths.join(':') } },
  );
  const gone = new Promise<never>((_, reject) => {
    browser.on('error', reject);
    browser.on('exit', (code) => reject(new Error(`Chromium ended with code ${code}`)));
  });
  gone.catch(() => undefined);
  return {
    process: browser,
    ended: gone,
    async end() {
      await ended(browser);
      removeProfile(profile);
    },
  };
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
