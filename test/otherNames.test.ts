import { nearestName } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { expect, it } from 'vitest';
import { otherNames } from '../packages/core/src/error/otherNames.js';

/** All that a file can name. */
function ourNames(): Set<string> {
  const { operators, composites, hooks, defaults } = createRegistry();
  const slots = [...operators, ...composites].flatMap((one) => Object.keys(one.slots));
  const named = [...operators, ...composites, ...hooks].map(({ name }) => name);
  const batches = defaults.flatMap(({ text }) => [...text.matchAll(/^(\w+):/gm)].map((m) => m[1]!));
  const globals = ['thermo_frequency', 'dump_frequency', 'particle_types'];
  return new Set([...named, ...slots, ...batches, ...globals]);
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
});
