import { CorpuscleError, operatorsOf, type Simulation } from '@corpuscle/core';

/** What has been made to work where each rank has a card; `langevin` stands for its parts `langevin_1` and so on. */
const onCards: ReadonlySet<string> = new Set([
  ...['begin_run', 'begin_stage', 'run', 'next_time_step', 'end_time_step', 'update_neighbors'],
  ...['zero_force', 'thermo', 'checkpoint', 'message', 'print_slots', 'nth_timestep', 'compute'],
  ...['lattice', 'domain', 'init_temperature', 'particle_properties', 'group', 'region'],
  ...['read_extended_xyz', 'read_lammps_data', 'read_gsd', 'read_h5md', 'read_poscar'],
  ...['write_extended_xyz', 'write_gsd', 'write_h5md', 'write_lammps_dump', 'write_dcd'],
  ...['lennard_jones_force', 'wca_force', 'mie_force', 'morse_force', 'buckingham_force'],
  ...['born_force', 'gauss_force', 'soft_force', 'yukawa_force', 'zbl_force', 'tabulated_force'],
  ...['push_velocity', 'push_velocity_and_position', 'langevin', 'bussi', 'nose_hoover'],
]);

/**
 * Makes sure that a simulation can run on ranks that each have a card.
 *
 * @throws CorpuscleError INVALID_VALUE for deterministic runs, and at the first operator that cannot run so
 * @example
 * refuseOnCards(loadSimulation(['melt.yaml'], { operators: createRegistry() }));
 */
export function refuseOnCards({ root, configuration }: Simulation): void {
  if (configuration.deterministic)
    throw new CorpuscleError(
      'INVALID_VALUE',
      'deterministic runs cannot be divided between cards yet: use --backend cpu, or one rank',
    );
  for (const { definition, location } of operatorsOf(root))
    if (!onCards.has(definition.name.replace(/_\d+$/, '')))
      throw new CorpuscleError(
        'INVALID_VALUE',
        `${definition.name} cannot run on ranks with cards yet: leave it out, use --backend cpu, or run on one rank (docs/scale.md says what can)`,
        { location },
      );
}
