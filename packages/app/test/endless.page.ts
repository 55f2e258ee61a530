import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppPage } from './support/AppPage.js';

const melt = (force: string): string => `
configuration: { units: lj, seed: 87287 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 4 }
particle_types: { A: { mass: 1.0 } }
setup_system:
- lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
compute_force:
- ${force}
simulation: molecular_dynamics
`;
const endless = `definePairPotential({ name: 'mine', doc: '', coefficients: {}, energy: (r) => 1 / r,
  numbers: () => { for (;;); } });`;

let page: AppPage;
beforeAll(async () => {
  page = await AppPage.open();
});
afterAll(() => page.close());

it('tells of a potential without end, and Stop ends it: the next run is as ever', async () => {
  await page.write(melt('mine_force: { rcut: 2 }'));
  await page.press('Potential');
  await page.write(endless, 'potential');
  await page.tools.until(`/one piece for 4 s: .* Stop ends it/.test(document.body.innerText)`);
  await page.press('Stop');
  await page.tools.until(
    `/The engine was ended/.test(document.getElementById('mistakes').innerText)`,
  );
  await page.write(' ', 'potential');
  await page.press('Simulation');
  await page.write(melt('lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }'));
  await page.run();
  await page.reach('ended');
  expect(await page.step()).toBe(4);
  await page.shown();
  expect(page.tools.complaints).toEqual([]);
});
