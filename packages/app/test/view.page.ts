import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { AppPage } from './support/AppPage.js';

const command = fileURLToPath(new URL('../../cli/bin/corpuscle.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-view-'));
afterAll(() => rmSync(folder, { recursive: true }));

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

it('corpuscle view --run draws and plots a run of the command, which the page steers', async () => {
  writeFileSync(join(folder, 'melt.yaml'), melt);
  const args = ['view', 'melt.yaml', '--run', '--no-open', '--backend', 'cpu', '--threads', '1'];
  const server = spawn(process.execPath, [command, ...args, '--output', 'out'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
  const page = await AppPage.at(line.trim());
  try {
    const at = () => page.tools.evaluate<number>('Number(document.body.dataset.drawn)');
    await page.tools.until('Number(document.body.dataset.drawn) > 0');
    const before = await at();
    await page.tools.until(`Number(document.body.dataset.drawn) > ${before}`);
    await page.tools.until(`Number(document.getElementById('plot').dataset.rows) > 3`);
    expect(
      await page.tools.evaluate(`document.querySelector('#simulation .cm-content').innerText`),
    ).toMatch(/end_iteration: 10000000/);
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
    await page.close();
    server.kill('SIGINT');
  }
  expect((await ended)[0]).toBe(130);
  const rows = readFileSync(join(folder, 'out/thermo.csv'), 'utf8').trim().split('\n');
  expect(rows.length).toBeGreaterThan(3);
});
