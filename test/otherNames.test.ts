import { type CorpuscleError, loadSimulation, nearestName } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { expect, it } from 'vitest';
import { otherNames } from '../packages/core/src/error/otherNames.js';

/** All that a file can name. */
function ourNames(): Set<string> {
  const { operators, composites, hooks, defaults } = createRegistry();
  const slots = [...operators, ...composites].flatMap((one) => Object.keys(one.slots));
  const named = [...operators, ...composites, ...hooks].map(({ name }) => name);
  const batches = defaults.flatMap(({ text }) => [...text.matchAll(/^(\w+):/gm)].map((m) => m[1]!));
  const globals = ['thermo_frequency', 'dump_frequency', 'particle_types', 'parallel'];
  const values = ['webgpu', 'f64', 'f32'];
  return new Set([...named, ...slots, ...batches, ...globals, ...values]);
}

it('names of other programs lead to names that are here', () => {
  const known = ourNames();
  for (const [other, ours] of otherNames) {
    expect(
      ours.some((name) => known.has(name)),
      `${other}: ${ours}`,
    ).toBe(true);
    expect(known.has(nearestName(other, known)!), other).toBe(true);
  }
});

it('says what is meant', () => {
  const known = ourNames();
  expect(nearestName('lj/cut', known)).toBe('lennard_jones_force');
  expect(nearestName('input_data', known)).toBe('setup_system');
  expect(nearestName('default_simulation', known)).toBe('molecular_dynamics');
  expect(nearestName('gpu', ['auto', 'cpu', 'webgpu'])).toBe('webgpu');
});

it('finds what else is wrong where the simulation itself has the name of another program', () => {
  const text = `global: { rcut_inc: 0.3, end_iteration: 5 }
particle_types: { A: { mass: 1 } }
input_data:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
compute_force:
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }
dump: nop
dump_data:
  - write_extended_xyz: { file: ../a.xyz }
simulation: default_simulation
`;
  const load = () =>
    loadSimulation([{ name: 'in.yaml', text }], {
      operators: createRegistry(),
      allowOutside: false,
    });
  let found: CorpuscleError | undefined;
  try {
    load();
  } catch (error) {
    found = error as CorpuscleError;
  }
  const told = [found!, ...found!.more].map(
    ({ location, message }) => `${location!.line}:${location!.column} ${message}`,
  );
  expect(told).toEqual([
    expect.stringMatching(/^3:1 nothing uses 'input_data': did you mean 'setup_system'\?/),
    expect.stringMatching(/^7:1 nothing uses 'dump': did you mean 'dump_data'\?/),
    expect.stringMatching(/^9:33 .* outside of the output folder/),
    expect.stringMatching(/^10:13 unknown operator 'default_simulation': did you mean 'mol/),
    expect.stringMatching(/^10:13 begin_run needs 'dt'/),
  ]);
});
