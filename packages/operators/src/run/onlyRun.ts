import { knownSlots, type OperatorNode } from '@corpuscle/core';

const BEGINNING: readonly string[] = ['begin_run', 'begin_stage'];

/** What a file says of the length of a run. */
export interface RunLength {
  readonly steps?: number | undefined;
  readonly duration?: number | undefined;
  readonly dt?: number | undefined;
}

/** The length of the run that is the only one, as far as the file says; null where there are none or several. */
export function onlyRun(nodes: readonly OperatorNode[]): RunLength | null {
  const [begin, ...others] = nodes.filter(({ definition }) => BEGINNING.includes(definition.name));
  if (!begin || others.length > 0) return null;
  const slots = knownSlots(begin) as Partial<Record<string, number>>;
  const { dt, end_iteration, end_time, steps = end_iteration, duration = end_time } = slots;
  return { steps, duration, dt };
}
