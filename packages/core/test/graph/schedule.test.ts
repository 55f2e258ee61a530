import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Schedule, type Scheduled } from '../../src/graph/run/Schedule.js';
import { type Need, needs } from '../../src/graph/ScheduleSpec.js';

const operator = (parts: Partial<Scheduled>): Scheduled => ({
  every: 1,
  from: 0,
  atEnd: false,
  needs: [],
  ...parts,
});

/** Steps from 0 to `last` in which an operator is due. */
const stepsOf = (of: Scheduled, last: number): number[] => {
  const schedule = new Schedule([of]);
  const steps = Array.from({ length: last + 1 }, (_, step) => step);
  return steps.filter((step) => schedule.isDue(of, step, step === last));
};

it('is due every so many steps, counted from the first one', () => {
  expect(stepsOf(operator({ every: 3 }), 7)).toEqual([0, 3, 6]);
  expect(stepsOf(operator({ every: 3, from: 2 }), 9)).toEqual([2, 5, 8]);
  expect(stepsOf(operator({}), 3)).toEqual([0, 1, 2, 3]);
});

it('is due in the last step where that is asked for, also before the first one', () => {
  expect(stepsOf(operator({ every: 3, atEnd: true }), 7)).toEqual([0, 3, 6, 7]);
  expect(stepsOf(operator({ every: 3, atEnd: true }), 6)).toEqual([0, 3, 6]);
  expect(stepsOf(operator({ from: 20, atEnd: true }), 7)).toEqual([7]);
  expect(stepsOf(operator({ every: 0 }), 7)).toEqual([]);
  expect(stepsOf(operator({ every: 0, atEnd: true }), 7)).toEqual([7]);
});

it('needs what operators outside loops read in every step', () => {
  const virial = operator({ every: 5, needs: ['virial'] });
  const energy = operator({ every: 5, needs: ['energy'] });
  const schedule = new Schedule([virial], [energy]);
  expect([...schedule.needsAt(3, false)]).toEqual(['energy']);
  expect([...schedule.needsAt(5, false)]).toEqual(['energy', 'virial']);
  expect([...schedule.repeated().needsAt(3, false)]).toEqual([]);
});

it('needs what a simulation of all steps reads, for any operators', () => {
  const anyOperator = fc.record({
    every: fc.integer({ min: 0, max: 9 }),
    from: fc.integer({ min: 0, max: 20 }),
    atEnd: fc.boolean(),
    needs: fc.subarray([...needs]),
  });
  fc.assert(
    fc.property(fc.array(anyOperator, { maxLength: 5 }), fc.nat(40), (operators, last) => {
      // Every operator walks its own steps, without a division.
      const read = Array.from({ length: last + 1 }, () => new Set<Need>());
      for (const { every, from, atEnd, needs: names } of operators) {
        const add = (step: number) => {
          for (const name of names) read[step]!.add(name);
        };
        if (every > 0) for (let step = from; step <= last; step += every) add(step);
        if (atEnd) add(last);
      }
      const schedule = new Schedule(operators);
      read.forEach((names, step) => {
        expect(new Set(schedule.needsAt(step, step === last))).toEqual(names);
      });
    }),
  );
});
