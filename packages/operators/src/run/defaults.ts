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

numerical_scheme: velocity_verlet
update_forces: [zero_force, compute_force]

output: [thermo_output, dump_data]
thermo_output: { rebind: { frequency: thermo_frequency }, body: [thermo] }
`;
