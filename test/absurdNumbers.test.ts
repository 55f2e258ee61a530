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
