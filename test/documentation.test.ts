import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';
import { runs } from './support/runs.js';

const work = new Workplace();
afterAll(() => work.remove());

/** A simple cubic crystal that leaves the lower half of the box free; a coordination number wants two types. */
function frame(yaml: string): string {
  const cells = [...Array(216).keys()];
  const atoms = cells.map((k) => {
    const [x, y, z] = [k % 6, Math.floor(k / 6) % 6, Math.floor(k / 36) + 2];
    const species = !yaml.includes('group_a: O') ? 'A' : k % 3 === 0 ? 'O' : 'H';
    return `${species} ${1.1 * x} ${1.1 * y} ${1.1 * z}`;
  });
  const pbc = yaml.includes('T T F') ? 'T T F' : 'T T T';
  const height = yaml.includes('T T F') ? 30 : 6.6;
  return `216\nLattice="6.6 0 0 0 6.6 0 0 0 ${height}" pbc="${pbc}" Properties=species:S:1:pos:R:3\n${atoms.join('\n')}\n`;
}

describe.each([
  'README.md',
  'docs/simulations.md',
  'docs/pair-potentials.md',
  'docs/ensembles.md',
  'docs/sets.md',
  'docs/boxes.md',
  'docs/graph.md',
  'docs/coordination.md',
  'docs/guide-gpu.md',
  'docs/from-hoomd.md',
  'docs/from-plumed.md',
])('%s', (name) => {
  const text = readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8');
  const files = [...text.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1]!);

  it('has simulation files', () => expect(files.length).toBeGreaterThan(0));

  it.each(files)(`is right${runs('', ', and runs for a few steps')}:\n%s`, async (yaml) => {
    work.clear();
    const start = frame(yaml);
    work.write({ 'run.yaml': yaml, 'start.xyz': start, 'frames.xyz': start + start });
    const steps = yaml.includes('end_iteration') ? ['--set', 'global.end_iteration=2'] : [];
    const where = ['--backend', 'cpu', '--threads', '1', '--output', work.path('out'), '--quiet'];
    const command = runs(['check'], ['run', ...where]);
    const result = await runCli([...command, work.path('run.yaml'), ...steps]);
    expect(result).toMatchObject({ code: 0, err: '' });
  });
});
