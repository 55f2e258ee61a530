import type { CompositeUse, OperatorBundle, SlotSpecs, WrittenValue } from '@corpuscle/core';
import { timeStep } from '../../run/timeStep.js';
import { stepComposite } from '../stepComposite.js';
import { levelOperators } from './levelOperators.js';
import { respaBegin, respaCheck } from './respaStart.js';

/** Steps of a level in one of the next: each is a batch of the graph. */
const MOST_STEPS = 1000;

const slots = {
  levels: {
    type: 'list',
    minLength: 2,
    required: true,
    of: {
      type: 'map',
      entries: {
        forces: {
          type: 'batch',
          required: true,
          doc: 'operators that compute forces: the name of a batch of compute_force',
        },
        steps: {
          type: 'integer',
          min: 1,
          max: MOST_STEPS,
          default: 1,
          doc: 'steps of this level in one of the next; the last level has 1',
        },
      },
    },
    doc: 'the innermost level first; forces that change faster have more steps',
  },
  dt: timeStep,
} as const satisfies SlotSpecs;

/** A level as a file has it. */
interface Level {
  readonly forces: WrittenValue;
  readonly steps: number;
}

/**
 * A step of several levels (Tuckerman, Berne and Martyna, J. Chem. Phys. 97, 1990 (1992)). Each level does
 *
 *   half a kick │ the level inside, so many times, or a drift │ forces │ half a kick
 *
 * The innermost evaluation is at the positions of all others at the end of the step, so that energies and virials are complete.
 */
function itemsOf(levels: readonly Level[], dt: WrittenValue | undefined): WrittenValue[] {
  const top = levels.length - 1;
  const own: Readonly<Record<string, WrittenValue>> = dt === undefined ? {} : { dt };
  const perStep = levels.map((_, level) =>
    levels.slice(level).reduce((product, { steps }) => product * steps, 1),
  );
  const evaluation = (level: number): WrittenValue[] => [
    level === 0 ? 'zero_force' : { respa_clear: own },
    levels[level]!.forces,
  ];
  const levelItems = (level: number): WrittenValue[] => {
    const { steps } = levels[level]!;
    const at = { level, parts: perStep[level]!, ...own };
    return Array.from({ length: steps }, (_, k): WrittenValue[] => {
      const isLast = level > 0 || k === steps - 1;
      const begin =
        level > 0
          ? [{ respa_kick: at }, ...levelItems(level - 1)]
          : [
              { [k === 0 ? 'respa_kick_drift' : 'respa_next_drift']: at },
              'after_drift',
              'update_neighbors',
            ];
      return [...begin, ...evaluation(level), { [isLast ? 'respa_push_keep' : 'respa_push']: at }];
    }).flat();
  };
  const sum = { respa_sum: { level: levels.length, ...own } };
  const start = levels.flatMap((_, level) => [
    ...evaluation(level),
    { respa_keep: { level, ...own } },
  ]);
  return [
    { respa_begin: { levels: levels.length } },
    { condition: 'respa_starts', body: [...start, 'respa_check', sum] },
    ...levelItems(top),
    sum,
  ];
}

/** What stands in the levels is right: slots are checked before. */
function levelsOf({ settings, fail }: CompositeUse): Level[] {
  const levels = settings.levels;
  if (levels?.kind !== 'list')
    return fail(
      'MISSING_VALUE',
      'respa needs levels, two or more: [{ forces: bonded, steps: 4 }, { forces: pairs }]',
    );
  return levels.items.map((item, k): Level => {
    const entryOf = (key: string) =>
      item.kind === 'map' ? item.entries.get(key)?.value : undefined;
    const given = entryOf('steps');
    const steps = Number(given?.kind === 'scalar' ? given.value : 1);
    if (k === levels.items.length - 1 && steps !== 1)
      fail(
        'INVALID_VALUE',
        'the last level of respa is the time step itself: it has 1 step, leave steps out',
      );
    if (!(Number.isInteger(steps) && steps <= MOST_STEPS))
      fail('WRONG_TYPE', `steps of a level of respa is a plain whole number up to ${MOST_STEPS}`);
    return { forces: { body: entryOf('forces')! }, steps };
  });
}

/** r-RESPA: forces that change fast have shorter time steps. */
export const respa: OperatorBundle = {
  name: 'respa',
  operators: [respaBegin, ...levelOperators, respaCheck],
  composites: [
    stepComposite(
      {
        name: 'respa',
        doc: 'Multiple time steps (r-RESPA): velocity Verlet in which each batch of forces has a time step of its own. Bonds may be computed four times as often as pairs, say. Symplectic, second order; the splitting is that of run_style respa of LAMMPS.',
        slots,
      },
      (use) => ({ kind: 'whole', items: itemsOf(levelsOf(use), use.settings.dt) }),
    ),
  ],
};
