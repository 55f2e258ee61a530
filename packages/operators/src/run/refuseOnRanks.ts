import {
  CorpuscleError,
  type GraphNode,
  type OperatorNode,
  type Simulation,
} from '@corpuscle/core';
import { isAnalysis } from '../analyses/define/defineAnalysis.js';

/** Operators that work on all particles before these are divided between ranks. */
const beforeDivision: ReadonlySet<string> = new Set([
  'bond_particles',
  'domain',
  'init_temperature',
  'lattice',
  'particle_properties',
  'read_extended_xyz',
  'read_lammps_data',
  'replicate',
  'set',
]);

/** Pair potentials: each pair is met by the ranks of both its particles. */
const pairForces = [
  ...[
    'born',
    'buckingham',
    'gauss',
    'lennard_jones',
    'mie',
    'morse',
    'soft',
    'wca',
    'yukawa',
    'zbl',
  ],
  ...['coulomb_cut', 'coulomb_debye', 'coulomb_dsf', 'reaction_field', 'tabulated', 'pair'],
  ...['embedded_atom', 'sutton_chen', 'stillinger_weber', 'harmonic_bond'],
].map((name) => `${name}_force`);

/** Thermostats of all particles: what they do to one depends on it alone, and on sums over all. */
const thermostats = ['berendsen', 'bussi', 'langevin', 'nose_hoover', 'rescale'].flatMap((name) =>
  [1, 2, 3, 4, 5].map((phase) => `${name}_${phase}`),
);

/** Writers of trajectories: the first rank gets copies of all particles. */
const writers = [
  'dcd',
  'extended_xyz',
  'gsd',
  'h5md',
  'lammps_data',
  'lammps_dump',
  'vtp',
  'xtc',
].map((format) => `write_${format}`);

/** Operators that work on the share of a rank, or on what all ranks know. */
const onShares: ReadonlySet<string> = new Set([
  ...pairForces,
  ...thermostats,
  ...writers,
  'begin_run',
  'begin_stage',
  'checkpoint',
  'coordination',
  'end_time_step',
  'message',
  'next_time_step',
  'nth_timestep',
  'print_slots',
  'push_velocity',
  'push_velocity_and_position',
  'thermo',
  'update_neighbors',
  'zero_force',
]);

/** Those of them that need no lists, and so do not divide the particles. */
const needsNoLists: ReadonlySet<string> = new Set(['message', 'nth_timestep', 'print_slots']);

/**
 * Makes sure that a simulation can run on several ranks.
 *
 * @throws CorpuscleError INVALID_VALUE at the first operator, or setting, that only one rank can take
 * @example
 * refuseOnRanks(loadSimulation(['melt.yaml'], { operators: createRegistry() }));
 */
export function refuseOnRanks(simulation: Simulation): void {
  const refuse = (what: string, location?: OperatorNode['location']): never => {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${what} cannot run on several ranks yet: leave it out, or run on one rank (docs/scale.md lists what can)`,
      { location },
    );
  };
  if (simulation.configuration.deterministic) refuse('deterministic: true');
  if (simulation.matrix) refuse('matrix');
  let isDivided = false;
  const visit = (node: GraphNode, isRepeated: boolean): void => {
    if (node.kind === 'batch') {
      const isLoop = isRepeated || node.loop !== undefined;
      for (const child of node.body) visit(child, isLoop);
      return;
    }
    const { definition, slots, location, isBuiltIn } = node;
    const { name } = definition;
    const isSetUp = beforeDivision.has(name) && !isDivided && !isRepeated;
    const isKnown = isBuiltIn && (isSetUp || onShares.has(name));
    if (!isKnown && !isAnalysis(definition)) refuse(name, location);
    for (const slot of isSetUp ? [] : ['group', 'groups']) {
      const source = slots.get(slot);
      const value = source?.kind === 'value' ? source.value : undefined;
      if (value !== undefined && value !== 'all') refuse(`${slot} of ${name}`, location);
    }
    isDivided ||= onShares.has(name) && !needsNoLists.has(name);
  };
  visit(simulation.root, false);
}
