import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { formatOf, readFrames } from '../support/frames.js';
import { meltYaml, runCli, Workplace } from '../support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

it('a run writes every format, and goes on from each', async () => {
  const files = ['a.dump.gz', 'a.gsd', 'a.h5md', 'a.dcd', 'a.xtc'] as const;
  const names = ['lammps_dump', 'gsd', 'h5md', 'dcd', 'xtc'] as const;
  const dump = names.map((name, k) => `\n  - write_${name}: { file: ${files[k]}, frequency: 10 }`);
  work.write({
    'run.yaml': meltYaml({
      dump_data: `${dump.join('')}\n  - write_vtp: { file: a.pvd, frequency: 10, group: { first: 0, last: 9 } }`,
    }),
  });
  const argv = ['--output', work.root, '--threads', '1'];
  const written = await runCli(['run', work.path('run.yaml'), ...argv]);
  expect(written.code, written.err).toBe(0);
  expect(work.files()).toEqual(expect.arrayContaining([...files, 'a.pvd', 'a.0.vtp', 'a.20.vtp']));
  for (const [k, name] of names.entries()) {
    const { frames } = await readFrames(formatOf(name), work.path(files[k]!));
    expect(frames.map(({ step }) => step)).toEqual([0, 10, 20]);
    expect(frames.map(({ count }) => count)).toEqual([256, 256, 256]);
    work.write({
      'again.yaml': `particle_types: { A: { mass: 1.0 } }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
simulation:
  - read_${name}: { file: ${files[k]}, loop: true }
  - compute_force
  - thermo: { file: again.csv }
`,
    });
    const again = await runCli(['run', work.path('again.yaml'), '--overwrite', ...argv]);
    expect(again.code, again.err).toBe(0);
    const energies = (file: string) =>
      readFileSync(work.path(file), 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => Number(line.split(',')[3]));
    const theirs = energies('again.csv');
    // An XTC file rounds positions to a thousandth, the others to f32 or not at all.
    const most = name === 'xtc' ? 2e-3 : 1e-5;
    energies('thermo.csv').forEach((energy, row) => {
      expect(Math.abs(theirs[row]! / energy - 1)).toBeLessThan(most);
    });
  }
});
