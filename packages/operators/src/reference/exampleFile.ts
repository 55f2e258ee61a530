import type { OperatorReference } from '@corpuscle/core';

/** The common file: a small Lennard-Jones melt. */
const COMMON = `configuration: { units: lj, seed: 1 }
global: { dt: 0.005, end_iteration: 20, thermo_frequency: 10 }
particle_types:
  A: { mass: 1.0 }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
simulation: molecular_dynamics
`;

/** What only a run needs. */
const OF_RUNS = ['global', 'setup_system', 'compute_force'];

/**
 * The example of an operator as a whole file: blocks that it leaves out are those of a small Lennard-Jones melt.
 *
 * @example
 * const registry = await withReferences(createRegistry());
 * exampleFile(registry.reference('bussi')!);
 */
export function exampleFile({ example }: OperatorReference): string {
  const own = blocksOf(example);
  const blocks = blocksOf(COMMON);
  // A simulation without a set-up reads frames.
  const isRun = !own.has('simulation') || own.get('simulation')!.includes('- setup_system');
  for (const name of isRun ? [] : OF_RUNS) blocks.delete(name);
  const last = blocks.get('simulation')!;
  blocks.delete('simulation');
  for (const [name, text] of own) blocks.set(name, text);
  if (!own.has('simulation')) blocks.set('simulation', last);
  return [...blocks.values()].join('');
}

/** Blocks of a file by their keys, each as it is written. */
const blocksOf = (text: string): Map<string, string> =>
  new Map(text.split(/^(?=\w)/m).map((block) => [block.slice(0, block.indexOf(':')), block]));
