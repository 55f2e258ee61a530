import type { OperatorReference } from '@corpuscle/core';
import { literature } from '../reference/literature.js';

const dump = (...operators: readonly string[]): string =>
  `dump_data:\n${operators.map((operator) => `  - ${operator}\n`).join('')}`;

/** The run, its output, and what controls it. */
export const runReferences: Readonly<Record<string, OperatorReference>> = {
  run: {
    theory:
      'Steps of molecular dynamics with batches of their own. Step, time and common files go on from run to run.',
    example: `simulation:
  - setup_system
  - run: { steps: 10, numerical_scheme: { langevin: { temperature: 1.44, friction: 1.0 } } }
  - run: { steps: 10, numerical_scheme: velocity_verlet }
`,
  },
  thermo: {
    theory: `\`\`\`math
${String.raw`P_{ab} = \frac{1}{V} \left[ \sum_i m_i v_{i,a} v_{i,b} + \sum_{i<j} r_{ij,a} F_{ij,b} \right], \qquad T = \frac{2 K}{N_f k}`}
\`\`\`

K is the kinetic energy and N_f the number of degrees of freedom, 3N − 3 where the total momentum stays as it is.`,
    literature: [literature.allenTildesley],
    example:
      'thermo_output: { rebind: { frequency: thermo_frequency }, body: [thermo: { box: true, conserved: true }] }\n',
  },
  checkpoint: {
    theory:
      'A run that goes on from a checkpoint makes the same steps to the bit, on the same machine and number of threads, with deterministic: true.',
    example: dump('checkpoint: { frequency: 10, keep: 2 }'),
  },
  measure: {
    example: dump(
      'measure: { frequency: 10 }',
      "message: { frequency: 10, text: 'P = {measured_pressure:4}' }",
    ),
  },
  compute: {
    example: `global: { dt: 0.005, end_iteration: 20, thermo_frequency: 10, hottest: 0.0 }
${dump('measure: { frequency: 10 }', "compute: { hottest: 'max(hottest, measured_temperature)' }")}`,
  },
  message: {
    example: dump("message: { text: 'step {step} at {time:3}', frequency: 10 }"),
  },
  print_slots: {
    example: dump('print_slots: { values: [dt, 2 * dt], frequency: 20 }'),
  },
  nth_timestep: {
    example: dump(
      'nth_timestep: { frequency: 10 }',
      "{ condition: nth_timestep, body: [message: { text: 'step {step}' }] }",
    ),
  },
  physical_time_interval: {
    example: dump(
      'physical_time_interval: { interval: 0.05 }',
      "{ condition: physical_time_interval, body: [message: { text: 'time {time:3}' }] }",
    ),
  },
  timer: {
    example: dump('timer: { name: steps }'),
  },
  file_exists: {
    example: dump(
      'file_exists: { name: extra }',
      "{ condition: file_exists, body: [message: { text: 'the file is there' }] }",
    ),
  },
  timestep_file: {
    theory:
      'A line has a step, and the time step from there on. The method that reads them knows the last one that holds.',
    files: { 'steps.txt': '0 0.001\n10 0.005\n' },
    example: 'numerical_scheme: [timestep_file: { file: steps.txt }, velocity_verlet]\n',
  },
  check_values: {
    example: `${dump('measure: { frequency: 20 }')}simulation_epilog:
  - check_values: { that: measured_temperature < 2 }
`,
  },
  memory_stats: {
    example: 'simulation_epilog:\n  - memory_stats\n',
  },
  neighbor_stats: {
    example: dump('neighbor_stats: { frequency: 20 }'),
  },
};

const whole = `simulation:
  - setup_system
  - begin_run
  - update_forces
  - { loop: true, condition: continue, body: [step, thermo_output, end_time_step] }
`;

/** Operators of which the batch molecular_dynamics is made, for schemes of one's own. */
export const partReferences: Readonly<Record<string, OperatorReference>> = {
  begin_run: { example: `step: velocity_verlet\n${whole}` },
  begin_stage: {
    example: `step: velocity_verlet\n${whole.replace('begin_run', 'begin_stage: { steps: 10 }')}`,
  },
  next_time_step: {
    theory:
      'Names such as velocity_verlet stand for operators of which it is the first. A step can be written out.',
    literature: [literature.swope],
    example: `step:
  - next_time_step
  - push_velocity_and_position
  - update_neighbors
  - zero_force
  - compute_force
  - push_velocity
${whole}`,
  },
  end_time_step: { example: `step: velocity_verlet\n${whole}` },
  zero_force: { example: 'update_forces: [zero_force, compute_force]\n' },
  update_neighbors: {
    theory:
      'Lists reach a skin farther than the cutoff. They are right until a particle has moved half the skin, and are then built anew: no pair is missed.',
    literature: [literature.verlet],
    example: `step:
  - next_time_step
  - push_velocity_and_position
  - update_neighbors
  - update_forces
  - push_velocity
${whole}`,
  },
  exact_neighbors: {
    example: `simulation:
  - setup_system
  - begin_run
  - { loop: 2, body: [exact_neighbors, update_forces] }
`,
  },
  minimize_step: {
    literature: [literature.bitzek],
    example: `simulation:
  - setup_system
  - begin_run
  - { loop: true, body: [exact_neighbors, update_forces, minimize_step: { style: fire, force_tolerance: 0.1, max_steps: 200 }] }
`,
  },
};
