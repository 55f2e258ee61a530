import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppPage } from './support/AppPage.js';

const command = fileURLToPath(new URL('../../cli/bin/corpuscle.js', import.meta.url));

let page: AppPage;
beforeAll(async () => {
  page = await AppPage.open('', [1200, 800]);
});
afterAll(() => page.close());

const text = (id: string) =>
  page.tools.evaluate<string>(`document.getElementById('${id}').innerText`);

/** Three particles in a row along x, with velocities. */
const frame = (x: number) =>
  `3\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:vel:R:3\n` +
  `A ${x} 4.5 4.5 0 0 1\nB 4.5 4.5 4.5 0 0 2\nA 7.5 4.5 4.5 0 0 4\n`;

it('shows files of all usual formats that are dropped: xyz, dump, data, gsd', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-drop-'));
  writeFileSync(join(folder, 'run.xyz'), [1, 1.5].map(frame).join(''));
  for (const [name, frames] of [
    ['run.xyz', 2],
    ['run.dump', 2],
    ['run.data', 1],
    ['run.gsd', 2],
  ] as const) {
    if (name !== 'run.xyz')
      execFileSync(process.execPath, [command, 'convert', 'run.xyz', name], { cwd: folder });
    await page.drop(name, readFileSync(join(folder, name)));
    const status = `document.getElementById('status').innerText`;
    await page.tools.until(`${status}.startsWith('${name}: frame 0 of ${frames}, 3 particles')`);
    if (frames === 2) {
      await page.fill('Frame', '1');
      await page.tools.until(`${status}.startsWith('${name}: frame 1 of 2')`);
    }
    await seen(coloredPart).toBeGreaterThan(0.01);
  }
  rmSync(folder, { recursive: true });
});

/** Part of the pixels of the canvas that are neither background nor gray. */
async function coloredPart(): Promise<number> {
  const { width, height, data, channels } = await page.canvas();
  let count = 0;
  for (let at = 0; at < data.length; at += channels)
    if (Math.abs(data[at + 2]! - data[at]!) > 40) count++;
  return count / (width * height);
}

/** What the canvas shows before long. */
const seen = (look: () => Promise<number>) => expect.poll(look, { timeout: 30_000, interval: 300 });

it('colors by any formula of fields, and says what is wrong with one', async () => {
  await page.drop('row.xyz', frame(1.5));
  await page.tools.until(`document.getElementById('status').innerText.startsWith('row.xyz')`);
  await page.fill('size', '0.5');
  await page.choose('Color of particles', 'formula');
  await page.fill('Formula of the color', 'vz ** 2 + type');
  await page.tools.until(`document.getElementById('legend').innerText.startsWith('vz')`);
  expect(await text('legend')).toMatch(/^vz \*\* 2 \+ type: 1\.000 +16\.00$/);
  await page.fill('Formula of the color', 'vz + pressure');
  await page.tools.until(`document.getElementById('device').innerText.includes('pressure')`);
  expect(await text('device')).toMatch(/'pressure', which particles do not have: they have .*vz/);
});

it('tells the values of the particle that is clicked', async () => {
  await page.choose('Color of particles', 'vx');
  await page.fill('Formula of the color', 'vz * 3');
  await page.choose('Color of particles', 'formula');
  await page.tools.until(`document.getElementById('legend').innerText.startsWith('vz * 3')`);
  await page.shown();
  await page.click();
  await page.tools.until(`document.getElementById('picked').innerText !== ''`);
  expect(await text('picked')).toMatch(/^particle \d, type 1, at 4\.5000, .*, vz \* 3 6\.0000$/);
  await page.click(0, 120);
  await page.tools.until(`document.getElementById('picked').innerText === ''`);
  await page.choose('Color of particles', 'type');
});

it('slices, repeats, hides the box, and draws without perspective', async () => {
  await page.shown();
  const whole = await coloredPart();
  const same = async () => Math.abs((await coloredPart()) / whole - 1);
  await page.choose('Slice', '0');
  await seen(coloredPart).toBeLessThan(0.8 * whole); // one of three is left of the middle
  await page.fill('to', '0.6');
  await seen(coloredPart).toBeLessThan(0.5 * whole);
  await page.choose('Slice', '');
  await seen(same).toBeLessThan(1e-6);
  await page.choose('Projection', 'flat');
  await seen(same).toBeGreaterThan(1e-6);
  expect(await same()).toBeLessThan(0.3);
  await page.choose('Projection', '');
  await seen(same).toBeLessThan(1e-6);
  await page.fill('images', '1x1x3');
  await seen(same).toBeGreaterThan(0.1);
  await page.fill('images', '1x1x1');
  await seen(same).toBeLessThan(1e-6);
  const dark = async () => {
    const { data, channels } = await page.canvas();
    return data.filter((value, k) => k % channels === 0 && value < 60).length;
  };
  const edges = await dark();
  await page.fill('box', 'no');
  await seen(dark).toBeLessThan(edges - 500);
});

it('draws the bonds of a file', async () => {
  const file = `two bonded particles

2 atoms
1 atom types
1 bonds
1 bond types
0 9 xlo xhi
0 9 ylo yhi
0 9 zlo zhi

Masses

1 1.0

Atoms # bond

1 1 1 3.0 4.5 4.5
2 1 1 6.0 4.5 4.5

Bonds

1 1 1 2
`;
  await page.drop('pair.data', file);
  await page.tools.until(`document.getElementById('status').innerText.startsWith('pair.data')`);
  await page.shown();
  const bonded = await coloredPart();
  await page.fill('bonds', 'no');
  await seen(coloredPart).toBeLessThan(0.9 * bonded);
});

it('has nothing to complain of', () => {
  expect(page.tools.complaints).toEqual([]);
});
