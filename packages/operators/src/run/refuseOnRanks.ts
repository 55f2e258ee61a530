import {
  CorpuscleError,
  type GraphNode,
  type OperatorNode,
  type Simulation,
} from '@corpuscle/core';
import { isAnalysis } from '../analyses/define/defineAnalysis.js';

/** Operators that work on all particles before these are divided between ranks. */
const beforeDivision: ReadonlySet<string> = new Set([
  ...['bond_particles', 'create_particles', 'delete_particles', 'domain', 'lattice'],
  ...['particle_properties', 'replicate'],
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

/** What changes the box by sums over all particles: all ranks find the same box. */
const barostats = ['berendsen_box', 'cell_rescale', 'nose_hoover_kick', 'nose_hoover_move'];

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
  ...barostats,
  ...integrators,
  ...respa,
  ...writers,
  ...['begin_run', 'begin_stage', 'checkpoint', 'coordination', 'end_time_step'],
  ...['exact_neighbors', 'measure', 'minimize_step', 'next_time_step', 'push_velocity'],
  ...['push_velocity_and_position', 'thermo', 'update_neighbors', 'zero_force'],
]);

/** Operators that work on all particles and on a share of them. They do not divide them. */
const anywhere: ReadonlySet<string> = new Set([
  ...['change_box', 'deform', 'displace_particles', 'gaussian_noise', 'group', 'init_temperature'],
  ...['region', 'set', 'shrink_wrap'],
  ...['check_values', 'compute', 'file_exists', 'memory_stats', 'message', 'nth_timestep'],
  ...['physical_time_interval', 'print_slots', 'timer', 'timestep_file'],
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
    const { definition, slots, location, isBuiltIn } = node;
    const { name } = definition;
    const isSetUp = !isDivided && !isRepeated;
    const isKnown =
      isBuiltIn &&
      (onShares.has(name) || anywhere.has(name) || (isSetUp && beforeDivision.has(name)));
    if (!isKnown && !isAnalysis(definition)) refuse(name, location);
    if (name === 'change_box' && slots.get('periodic')?.kind !== 'absent' && !isSetUp)
      refuse('periodic of change_box', location);
    isDivided ||= onShares.has(name);
  };
  visit(simulation.root, false);
}
