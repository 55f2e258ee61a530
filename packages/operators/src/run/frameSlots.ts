import type { SlotSpec, SlotSpecs } from '@corpuscle/core';

/**
 * The slots of operators that act only in some steps: `every`, and `frequency`, which means the same.
 *
 * @param what what an execution makes, in the plural
 */
export const everySlots = (what: string) =>
  ({
    every: {
      type: 'integer',
      min: 1,
      mayChange: true,
      doc: `steps between ${what}; default: one whenever the operator runs`,
    },
    frequency: {
      type: 'integer',
      min: 1,
      mayChange: true,
      doc: 'another name of every, used where every is not given',
    },
  }) as const satisfies SlotSpecs;

/**
 * The slots that say in which steps particles are looked at: those of `everySlots`, and `from`.
 *
 * @param what what an execution makes, in the plural
 */
export const frameSlots = (what: string) =>
  ({
    ...everySlots(what),
    from: {
      type: 'integer',
      min: 0,
      mayChange: true,
      doc: 'the first step that is looked at; default 0',
    },
  }) as const satisfies SlotSpecs;

/**
 * The same where lags are counted in frames: these are as far apart when a run goes on.
 * @param mayChange whether the values of slots are such that no two origins share a lag
 */
export const evenFrameSlots = (
  what: string,
  mayChange: NonNullable<SlotSpec['mayChange']> = false,
) => {
  const { every, frequency, from } = frameSlots(what);
  return { every: { ...every, mayChange }, frequency: { ...frequency, mayChange }, from } as const;
};

/** Steps between frames as those slots say; undefined where they do not. */
export const stepsBetween = ({
  every,
  frequency,
}: {
  readonly every?: number;
  readonly frequency?: number;
}): number | undefined => every ?? frequency;
