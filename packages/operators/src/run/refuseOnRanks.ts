import {
  CorpuscleError,
  type GraphNode,
  type OperatorNode,
  type Simulation,
} from '@corpuscle/core';
import { isAnalysis } from '../analyses/define/defineAnalysis.js';

/** Operators that work on all particles before these are divided between ranks. */
const beforeDivision: ReadonlySet<string> = new Set([
  ...['bond_particles', 'change_box', 'create_particles', 'delete_particles', 'displace_particles'],
  ...['domain', 'gaussian_noise', 'group', 'init_temperature', 'lattice', 'particle_properties'],
  ...['region', 'replicate', 'set'],
  ...['dcd', 'extended_xyz', 'gro', 'gsd', 'h5md', 'lammps_data', 'lammps_dump'].map(read),
  ...['pdb', 'poscar', 'xtc'].map(read),
]);

function read(format: string): string {
  return `read_${format}`;
}

/** Pair potentials: each pair is met by the ranks of both its particles. */
const pairForces = [
  ...['born', 'buckingham', 'dpd', 'gauss', 'lennard_jones', 'mie', 'morse', 'soft', 'wca'],
  ...['yukawa', 'zbl', 'coulomb_cut', 'coulomb_debye', 'coulomb_dsf', 'coulomb_wolf'],
  ...['reaction_field', 'tabulated', 'pair', 'embedded_atom', 'sutton_chen', 'stillinger_weber'],
  'harmonic_bond',
].map((name) => `${name}_force`);

/** What changes the box: by sums over all particles, or by what all ranks know. */
const ofBoxes = [
  ...['berendsen_box', 'cell_rescale', 'deform', 'nose_hoover_kick', 'nose_hoover_move'],
  'shrink_wrap',
];

/** What acts on each particle by itself, or by sums over all. */
const external = [
  ...['add_force', 'efield', 'freeze', 'gravity', 'harmonic_force', 'mirror', 'reflect'],
  ...['remove_momentum', 'set_force', 'spring', 'spring_self', 'wall'],
];

/** Schemes and thermostats: what they do to a particle depends on it alone, and on sums over all. */
const integrators = [
  ...['andersen', 'berendsen', 'brownian', 'bussi', 'langevin', 'nose_hoover', 'rescale'],
  ...['shifted_motion', 'turning_motion', 'velocity_verlet_adaptive', 'velocity_verlet_limit'],
].flatMap((name) => [1, 2, 3, 4, 5].map((phase) => `${name}_${phase}`));

/** Multiple time steps. */
const respa = [
  ...['begin', 'check', 'clear', 'keep', 'kick', 'kick_drift', 'next_drift', 'push', 'push_keep'],
  'sum',
].map((part) => `respa_${part}`);

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
  ...external,
  ...ofBoxes,
  ...integrators,
  ...respa,
  ...writers,
  ...['begin_run', 'begin_stage', 'checkpoint', 'compute', 'coordination', 'end_time_step'],
  ...['exact_neighbors', 'measure', 'message', 'minimize_step', 'next_time_step', 'nth_timestep'],
  ...['physical_time_interval', 'print_slots', 'push_velocity', 'push_velocity_and_position'],
  ...['thermo', 'update_neighbors', 'zero_force'],
]);

/** Those of them that need no lists, and so do not divide the particles. */
const needsNoLists: ReadonlySet<string> = new Set([
  ...['compute', 'message', 'nth_timestep', 'physical_time_interval', 'print_slots'],
  ...['deform', 'shrink_wrap'],
]);

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
  let isDivided = false;
  const visit = (node: GraphNode, isRepeated: boolean): void => {
    if (node.kind === 'batch') {
      const isLoop = isRepeated || node.loop !== undefined;
      for (const child of node.body) visit(child, isLoop);
      return;
    }
    const { definition, location, isBuiltIn } = node;
    const { name } = definition;
    const isSetUp = beforeDivision.has(name) && !isDivided && !isRepeated;
    const isKnown = isBuiltIn && (isSetUp || onShares.has(name));
    if (!isKnown && !isAnalysis(definition)) refuse(name, location);
    isDivided ||= onShares.has(name) && !needsNoLists.has(name);
  };
  visit(simulation.root, false);
}
