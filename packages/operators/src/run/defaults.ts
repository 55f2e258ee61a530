/** The default batches. A file changes the scheme by redefining one of them, or adds to one with `+name`. */
export const defaultDocument = `
molecular_dynamics:
  - setup_system
  - begin_run
  - update_forces
  - first_iteration
  - output
  - { loop: true, condition: continue, body: [numerical_scheme, output, end_time_step] }
  - simulation_epilog

numerical_scheme: [next_time_step, push_velocity_and_position, update_neighbors, update_forces, push_velocity]
update_forces: [zero_force, compute_force]

output:
  - { rebind: { frequency: thermo_frequency }, body: [thermo] }
  - dump_data
`;
