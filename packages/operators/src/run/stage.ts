import { type Composite, dimensions, type SlotSpecs, type WrittenValue } from '@corpuscle/core';

const slots = {
  steps: {
    type: 'integer',
    min: 0,
    doc: 'steps to do; without steps and duration the run goes to its end',
  },
  duration: {
    type: 'quantity',
    dimension: dimensions.time,
    min: 0,
    doc: 'time to go on for; with steps whichever comes first',
  },
  numerical_scheme: {
    type: 'batch',
    doc: 'what makes a step: an integrator, several in a list, or a batch; default: numerical_scheme of the file',
  },
  dump_data: {
    type: 'batch',
    doc: 'output of this run, besides thermo and in the place of dump_data of the file; also before its first step',
  },
} as const satisfies SlotSpecs;

/**
 * `run`: some steps of molecular dynamics. A simulation may have several, one after the other:
 *
 *   run   begin │ first forces │ first output │ loop of numerical_scheme, output
 */
export const runComposite: Composite = {
  name: 'run',
  doc: 'Runs some steps of molecular dynamics. Several in a list are stages of one story, such as equilibration and production.',
  slots,
  expand([use]): readonly WrittenValue[] {
    const { steps, duration, numerical_scheme, dump_data } = use!.settings;
    // Output of the file goes on from run to run: the last step of one is not written again as the first of the next.
    const shared = ['first_iteration', 'thermo_output', ...(dump_data ? [] : ['dump_data'])];
    return [
      steps || duration
        ? { begin_stage: { ...(steps && { steps }), ...(duration && { duration }) } }
        : 'begin_run',
      'update_forces',
      { condition: 'is_first_run', body: shared },
      ...(dump_data ? [{ body: dump_data }] : []),
      {
        loop: true,
        condition: 'continue',
        body: [
          numerical_scheme ? { body: numerical_scheme } : 'numerical_scheme',
          'thermo_output',
          dump_data ? { body: dump_data } : 'dump_data',
          'end_time_step',
        ],
      },
    ];
  },
};
