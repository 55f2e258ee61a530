import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { AppPage } from './support/AppPage.js';

const command = fileURLToPath(new URL('../../cli/bin/corpuscle.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-view-'));
const servers: ChildProcess[] = [];
afterAll(() => {
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true });
});

const melt = `
configuration: { units: lj, seed: 87287 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 10000000, thermo_frequency: 10 }
particle_types: { A: { mass: 1.0 } }
setup_system:
- lattice: { structure: fcc, density: 0.8442, repeat: [6, 6, 6], types: [A] }
- init_temperature: { temperature: 1.44 }
compute_force:
- lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
simulation: molecular_dynamics
`;

/** `corpuscle view` of these arguments, and the page that it serves. */
async function viewed(...args: readonly string[]) {
  const server = spawn(process.execPath, [command, 'view', ...args, '--no-open'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  servers.push(server);
  const ended = once(server, 'exit');
  const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
  const page = await AppPage.at(line.trim());
  const close = async () => {
    await page.close();
    server.kill('SIGINT');
    return (await ended)[0] as number;
  };
  return { page, close };
}

const text = `document.querySelector('#simulation .cm-content').innerText`;

it('corpuscle view draws a simulation in the page, where it can be run', async () => {
  writeFileSync(join(folder, 'melt.yaml'), melt);
  const { page, close } = await viewed('melt.yaml');
  await page.tools.until('Number(document.body.dataset.pictures) > 0');
  expect(await page.tools.evaluate(text)).toMatch(/end_iteration: 10000000/);
  await page.run();
  await page.tools.until('Number(document.body.dataset.step) > 0');
  await page.press('Stop');
  await page.reach('ended');
  expect(page.tools.complaints).toEqual([]);
  await close();
});

it('corpuscle view draws a trajectory, frame by frame', async () => {
  const frame = (x: number) =>
    `2\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3\nA ${x} 2 2\nA 6 6 6\n`;
  writeFileSync(join(folder, 'two.xyz'), [1, 2].map(frame).join(''));
  const { page, close } = await viewed('two.xyz');
  await page.tools.until(`document.body.dataset.frame === '0'`);
  await page.fill('Frame', '1');
  await page.tools.until(
    `document.getElementById('status').innerText === 'two.xyz: frame 1 of 2, 2 particles'`,
  );
  await page.tools.until('Number(document.body.dataset.pictures) > 0');
  expect(page.tools.complaints).toEqual([]);
  await close();
});

it('corpuscle view --run draws and plots a run of the command, which the page steers', async () => {
  writeFileSync(join(folder, 'melt.yaml'), melt);
  const on = ['--backend', 'cpu', '--threads', '1', '--output', 'out'];
  const { page, close } = await viewed('melt.yaml', '--run', ...on);
  let code: number;
  try {
    const at = () => page.tools.evaluate<number>('Number(document.body.dataset.drawn)');
    await page.tools.until('Number(document.body.dataset.drawn) > 0');
    const before = await at();
    await page.tools.until(`Number(document.body.dataset.drawn) > ${before}`);
    await page.tools.until(`Number(document.getElementById('plot').dataset.rows) > 3`);
    expect(await page.tools.evaluate(text)).toMatch(/end_iteration: 10000000/);
    await page.press('Pause');
    await page.reach('paused');
    await page.press('Step');
    await page.tools.until('document.body.dataset.phase === "paused"');
    const image = await page.canvas();
    let colored = 0;
    for (let k = 0; k < image.data.length; k += image.channels)
      if (image.data[k + 2]! - image.data[k]! > 40) colored++;
    expect(colored).toBeGreaterThan(0.04 * image.width * image.height);
    await page.choose('Color of particles', 'speed');
    // The legend says what the colors mean, once frames with speeds have come.
    await page.tools.until(`document.getElementById('legend').innerText.startsWith('speed: ')`);
    await page.press('Stop');
    await page.reach('ended');
    expect(page.tools.complaints).toEqual([]);
  } finally {
    code = await close();
  }
  expect(code).toBe(130);
  const rows = readFileSync(join(folder, 'out/thermo.csv'), 'utf8').trim().split('\n');
  expect(rows.length).toBeGreaterThan(3);
});
