import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lammpsInput, lammpsRate } from './lammpsInput.js';
import type { Peer, PeerOrReason, Rate } from './Peer.js';

const version = '1.5.1';
const folder = fileURLToPath(new URL('../../.cache/bench/lammps.js/', import.meta.url));
const script = fileURLToPath(new URL('lammpsJsProcess.mjs', import.meta.url));
const builds = { serial: 'lammps.js', kokkos: 'lammps-kokkos.js' } as const;

/**
 * LAMMPS as WebAssembly from npm, in a process of its own; installed under .cache/bench at first use, for it is a peer
 * of the bench and no dependency of ours.
 *
 * @param build `serial`, or `kokkos` with `-k on t <threads> -sf kk`. Kokkos runs with its defaults and with full lists
 *   in the first round, and then with whatever was faster.
 */
export function lammpsJs(build: keyof typeof builds, threads: number): PeerOrReason {
  const reason = install();
  if (reason) return { missing: `lammps.js ${version} (${build}) left out: ${reason}` };
  const kokkos = ['-k', 'on', 't', String(threads), '-sf', 'kk'];
  const choices =
    build === 'serial'
      ? [[]]
      : [kokkos, [...kokkos, '-pk', 'kokkos', 'neigh', 'full', 'newton', 'off']];
  let best: readonly string[] | null = null;
  const run: Peer['run'] = (melt) => {
    const rates = (best ? [best] : choices).map((flags) => ({ flags, rate: once(melt, flags) }));
    rates.sort((a, b) => b.rate.wall - a.rate.wall);
    best = rates[0]!.flags;
    return rates[0]!.rate;
  };
  const once = (melt: Parameters<Peer['run']>[0], flags: readonly string[]): Rate => {
    const file = `${folder}node_modules/lammps.js/dist/cpp/${builds[build]}`;
    const log = execFileSync(process.execPath, [script, file, ...flags], {
      encoding: 'utf8',
      input: lammpsInput(melt),
      timeout: 600_000,
    });
    // As wasm LAMMPS knows no processor time: its process tells.
    const seconds = Number(/^processor seconds ([\d.]+)$/m.exec(log)?.[1]);
    return { wall: lammpsRate(log).wall, processor: melt.steps / (seconds / threads) };
  };
  const name = build === 'serial' ? 'serial' : `KOKKOS, ${threads} thread${threads > 1 ? 's' : ''}`;
  return { peer: { name: `lammps.js ${version} (${name})`, run } };
}

/** Installs the package unless it is there; null, or why it cannot be had. */
function install(): string | null {
  if (existsSync(`${folder}node_modules/lammps.js/package.json`)) return null;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}package.json`, '{ "private": true }\n');
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `lammps.js@${version}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 120_000,
    });
    return null;
  } catch (error) {
    const lines = String((error as { stderr?: unknown }).stderr ?? error)
      .trim()
      .split('\n');
    return `npm install failed (${lines.find((line) => line.includes('npm error')) ?? lines[0]})`;
  }
}
