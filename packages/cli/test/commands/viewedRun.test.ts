import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '@corpuscle/app/session';
import { createRegistry, type ParticleFrame, readQuantized } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ViewedRun } from '../../src/commands/view/ViewedRun.js';
import { type ViewServer, viewServer } from '../../src/commands/view/viewServer.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-viewed-'));
afterAll(() => rmSync(folder, { recursive: true }));

const melt = (end: number) => `
configuration: { units: lj, seed: 7 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: ${end}, thermo_frequency: 1 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
numerical_scheme: [velocity_verlet, write_extended_xyz: { file: all.xyz, frequency: 1 }]
simulation: molecular_dynamics
`;

/** A run that is served from a folder of its own. */
async function served(name: string, end: number) {
  const file = join(folder, `${name}.yaml`);
  const output = join(folder, name);
  writeFileSync(file, melt(end));
  const run = new ViewedRun({
    ...{ file, output, set: [], older: 'keep', onNotice: () => {} },
    operators: createRegistry(),
    openContext: () => createExecutionContext({ backend: 'cpu', threads: 1 }),
  });
  const server = await viewServer(folder, file, { port: 0, onViewer: (one) => run.join(one) });
  return { run, server, output };
}

/** A page that looks, as a program. */
function viewer({ url }: ViewServer, { answers = true, origin = '', token = '' } = {}) {
  const { host, searchParams } = new URL(url);
  const socket = new WebSocket(
    `ws://${host}/run?token=${token || searchParams.get('view')}`,
    origin ? { origin } : {},
  );
  const frames: ParticleFrame[] = [];
  const reports: Report[] = [];
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) reports.push(JSON.parse(String(data)));
    else {
      frames.push(readQuantized(data));
      if (answers) socket.send('{"kind":"drawn"}');
    }
  });
  const opened = new Promise<boolean>((resolve) => {
    socket.on('open', () => resolve(true));
    socket.on('error', () => resolve(false));
  });
  const ask = (request: object) => socket.send(JSON.stringify(request));
  const last = <K extends Report['kind']>(kind: K) =>
    reports.findLast((one): one is Extract<Report, { kind: K }> => one.kind === kind);
  return { socket, frames, reports, opened, ask, last };
}

it('a run is seen as it is: frames to their quantization, progress, tables; its end too', async () => {
  const { run, server, output } = await served('seen', 60);
  const page = viewer(server);
  expect(await page.opened).toBe(true);
  await run.start();
  await run.ended;
  await vi.waitFor(() => expect(page.frames.at(-1)!.step).toBe(60), { timeout: 5000 });
  await vi.waitFor(() => expect(page.last('tables')!.tables[0]!.data[0]).toHaveLength(61));
  expect(page.last('phase')).toMatchObject({ phase: 'ended' });
  expect(page.last('progress')).toMatchObject({ step: 60, endStep: 60, particles: 256 });
  expect(page.last('tables')!.tables[0]!.columns).toContain('temperature');
  // Each frame is that of its step in the file.
  const lines = readFileSync(join(output, 'all.xyz'), 'utf8').split('\n');
  for (const { step, count, position, lattice } of page.frames) {
    const rows = lines.slice(258 * (step! - 1) + 2, 258 * step!);
    if (step === 0) continue;
    for (let i = 0; i < count; i++)
      for (const [k, word] of rows[i]!.split(/\s+/).slice(1, 4).entries()) {
        const away = (position[3 * i + k]! - Number(word)) / lattice![4 * k]!;
        expect(Math.abs(away - Math.round(away))).toBeLessThan(0.51 / 65535);
      }
  }
  await run.close();
  server.close();
});

it('a page that draws nothing costs the run no step, and pages change the run', async () => {
  const { run, server } = await served('slow', 400);
  const idle = viewer(server, { answers: false });
  expect(await idle.opened).toBe(true);
  await run.start();
  await run.ended;
  expect(idle.frames.length).toBeLessThanOrEqual(1);
  const { taken, passed, step } = run.counts;
  expect([taken, step]).toEqual([1, 400]);
  expect(passed).toBeGreaterThan(0.95 * 400);
  idle.socket.close();
  const page = viewer(server);
  await page.opened;
  expect(page.last('phase') ?? page.reports).toBeDefined();
  const texts = { simulation: melt(1e6), potential: '' };
  page.ask({ kind: 'run', texts, held: true });
  await vi.waitFor(() => expect(page.last('phase')).toMatchObject({ phase: 'paused' }));
  page.ask({ kind: 'look', look: { color: 'speed' } });
  page.ask({ kind: 'resume', steps: 3 });
  await vi.waitFor(() => expect(page.frames.at(-1)).toMatchObject({ step: 3 }));
  await vi.waitFor(() => expect(page.frames.at(-1)!.extra.has('speed')).toBe(true));
  page.ask({ kind: 'retune', texts: { ...texts, potential: 'process.exit()' } });
  await vi.waitFor(() =>
    expect(page.last('phase')!.mistakes![0]!.message).toMatch(/in the page alone/),
  );
  page.ask({ kind: 'stop' });
  await vi.waitFor(() => expect(page.last('phase')).toMatchObject({ phase: 'ended' }));
  await run.close();
  server.close();
});

it('pages of other origins, and those without the token, are refused', async () => {
  const { run, server } = await served('refused', 1);
  const { origin } = new URL(server.url);
  for (const [options, isOpen] of [
    [{ origin }, true],
    [{ origin: 'https://elsewhere.example' }, false],
    [{ token: '0'.repeat(32) }, false],
  ] as const) {
    const { opened, socket } = viewer(server, options);
    expect(await opened).toBe(isOpen);
    socket.terminate();
  }
  await run.close();
  server.close();
});
