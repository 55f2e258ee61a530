import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

interface Case {
  readonly boundary: string;
  readonly lattice: string;
  readonly block: string;
  readonly sites?: string;
  readonly atoms: number;
  /** Potential and kinetic energy after 20 steps by lmp of 2021-09-29. */
  readonly energies: readonly [number, number];
}

const turned = 'fcc 0.8442 orient x 1 1 1 orient y 1 -1 0 orient z 1 1 -2';
const spread =
  'fcc 0.8442 orient x 1 1 0 orient y -1 1 0 orient z 0 0 1 spacing 1.2 1.2 1.6 origin 0.1 0.2 0.3';

const thick = 'fcc 0.9 origin 0.1 0.1 0.1';

const cases: readonly Case[] = [
  {
    ...{ boundary: 'p p s', lattice: 'sc 0.8442', block: '0 4 0 4 0 4', atoms: 80 },
    energies: [-344.9959659667045, 92.42004604997484],
  },
  {
    ...{ boundary: 's s s', lattice: turned, block: '0 3 0 4 0 3', atoms: 716 },
    energies: [-3344.611534433581, 506.030044937933],
  },
  {
    ...{ boundary: 'f f f', lattice: spread, block: '0 4 0 4 0 4', atoms: 546 },
    energies: [-2501.556021309791, 400.0462390813554],
  },
  {
    ...{ boundary: 'p p s', lattice: 'hcp 0.8442', block: '0 4 0 3 0 2', atoms: 120 },
    sites: 'basis 1 2 basis 3 2',
    energies: [-615.4183284056514, 76.49433117622637],
  },
  {
    // A density whose root `**` gives with another last bit.
    ...{ boundary: 'p p p', lattice: thick, block: '0 3 0 3 0 3', atoms: 108 },
    energies: [-676.9398122882816, 54.83707644330737],
  },
  {
    ...{ boundary: 'p p p', lattice: 'fcc 0.9', block: '0 3 0 3 0 3', atoms: 108 },
    energies: [-674.5660934620977, 52.1167896689593],
  },
];

// Velocities of `loop geom` are of the bits of places: a site that is rounded otherwise has others.
it.each(cases)('$lattice in $boundary has the sites of LAMMPS to the bit', async (one) => {
  const script = `units lj
boundary ${one.boundary}
lattice ${one.lattice}
region box block ${one.block}
create_box 2 box
create_atoms 1 box ${one.sites ?? ''}
mass * 1.0
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
velocity all create 1.0 87287 loop geom
fix 1 all nve
thermo 20
dump 1 all custom 20 end.dump id x y z
run 20
`;
  const [yaml, out] = [work.path('sites.yaml'), work.path('sites')];
  work.write({ 'in.sites': script });
  expect(await runCli(['convert', work.path('in.sites'), yaml])).toMatchObject({ code: 0 });
  expect(await runCli(['run', yaml, '--output', out, '--overwrite'])).toMatchObject({ code: 0 });
  const dump = readFileSync(`${out}/end.dump`, 'utf8');
  expect(Number(/NUMBER OF ATOMS\n(\d+)/.exec(dump)![1])).toBe(one.atoms);
  const [, , row] = readFileSync(`${out}/thermo.csv`, 'utf8').split('\n');
  const [potential, kinetic] = row!.split(',').slice(3, 5).map(Number);
  expect(Math.abs(potential! / one.energies[0] - 1)).toBeLessThan(1e-11);
  expect(Math.abs(kinetic! / one.energies[1] - 1)).toBeLessThan(1e-11);
});
