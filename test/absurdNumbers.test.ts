import { afterAll, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

async function first(command: string, parts: Parameters<typeof meltYaml>[0], ...argv: string[]) {
  work.write({ 'in.yaml': meltYaml(parts) });
  const { code, err } = await runCli([command, work.path('in.yaml'), ...argv]);
  return `${code} ${err.split('\n')[0]!.replace(/^.*in\.yaml:/, '')}`;
}

const huge = 99_999_999_999;
const cold = 'the masses of nose_hoover are in proportion to its temperature, which is 0: give one';

it.each([
  [`radial_distribution: { r_max: 2, bins: ${huge}, file: a.csv }`, 'at most 100000'],
  [`structure_factor: { q_max: 9, bins: ${huge}, file: a.csv }`, 'at most 100000'],
  [`grid_histogram: { field: rx, low: 0, high: 1, bins: ${huge}, file: a.csv }`, 'at most 100000'],
])('%s', async (analysis, message) => {
  expect(await first('check', { dump_data: `\n  - ${analysis}` })).toMatch(
    new RegExp(`^2 11:\\d+: bins .* ${message}$`),
  );
});

it.each([
  'temperature: 0, tau: 0.5',
  'temperature: [1, 0], tau: 0.5',
  'temperature: 0, tau: 0.5, pressure: 1, tau_pressure: 1',
])('nose_hoover: { %s }', async (slots) => {
  const scheme = `{ nose_hoover: { ${slots} } }`;
  expect(await first('check', { numerical_scheme: scheme })).toMatch(
    new RegExp(`^2 10:49: ${cold}`),
  );
});

it('a projection on more voxels than memory has', async () => {
  const dump = '\n  - grid_projection: { fields: [density], cell_size: 0.001, file: a.vti }';
  expect(
    await first('run', { dump_data: dump }, '--output', work.root, '--backend', 'cpu'),
  ).toMatch(
    /^1 11:5: the projection would have \d+ voxels, more than 134217728: enlarge cell_size/,
  );
});

it('a structure factor whose first bin has more wave vectors than can be listed', async () => {
  const dump = '\n  - structure_factor: { q_max: 1e10, file: a.csv }';
  expect(
    await first(
      'run',
      { dump_data: dump },
      '--output',
      work.root,
      '--backend',
      'cpu',
      '--overwrite',
    ),
  ).toMatch(
    /^1 11:5: q_max with 100 bins puts some \de\+24 wave vectors of this box into the first, more than 1000000: lower q_max/,
  );
});

it.each([
  ['lattice: { structure: fcc, lattice_constant: 1e300, repeat: [2, 2, 2], types: [A] }', 'large'],
  ['lattice: { structure: fcc, lattice_constant: 1e-200, repeat: [2, 2, 2], types: [A] }', 'small'],
  ['domain: { upper: [1e300, 1e300, 1e300] }', 'large'],
])('a box whose volume overflows: %s', async (setup, what) => {
  expect(await first('check', { setup_system: `\n  - ${setup}` })).toMatch(
    new RegExp(
      `^2 5:5: the domain \\[.*\\] is too ${what}: its volume overflows, give lengths closer to 1$`,
    ),
  );
});
