import type { ExecutionContext } from '@corpuscle/patterns';

/** Whether several processes share a run, so that this one has only some of the particles. */
export const areSeveral = ({ engines }: ExecutionContext): boolean =>
  engines.host.copyWhole !== undefined;
