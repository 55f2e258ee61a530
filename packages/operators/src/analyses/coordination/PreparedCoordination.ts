import type { Grid } from '@corpuscle/core';
import {
  type ContextValue,
  type ExecutionContext,
  type PreparedCall,
  prepareCellParticles,
} from '@corpuscle/patterns';
import { particlesVersion } from './KnownMembers.js';
import { zeroDerivatives, zeroShares } from './neighborPairs.js';

/** Sums over pairs, as reductions write them into a value of the context, before anything has been counted. */
const noSums = {
  cn: 0,
  cnbxx: 0,
  cnbyy: 0,
  cnbzz: 0,
  cnbxy: 0,
  cnbxz: 0,
  cnbyz: 0,
} as const;

/** The number, and its strain derivatives. */
type CoordinationSumName = keyof typeof noSums;

// biome-ignore lint/suspicious/noExplicitAny: calls of any parameters and results
type Calls = readonly PreparedCall<any, any>[];

/** A coordination number that is evaluated by prepared calls and stays where it is computed. */
export interface PreparedCoordination {
  /** Leave shares and derivatives in the block `coordination`, and the sums in `sums`. */
  readonly whole: Calls;
  /** Leave derivatives alone in their place, and the number alone in `sums`: all that forces need. */
  readonly forForces: Calls;
  readonly place: number;
  readonly sums: ContextValue<CoordinationSumName>;
  /** How far the lists of the run must reach; 0 where all pairs are met. */
  readonly rcut: number;
  /** What a pair counts in the sums: 1, or 0.5 where it is met from both sides. */
  readonly once: number;
  /** Whether groups are still those of the grid: not after particles have come, gone, or got another type. Lists must be exact in its box, too. */
  isCurrent(): boolean;
  /** Gives back calls and sums. */
  close(): void;
}

/**
 * A prepared coordination number of calls that add shares and derivatives to zero.
 * @param callsInto the two kinds of evaluation, with their sums in this value
 */
export function prepareNumber(
  grid: Grid,
  ctx: ExecutionContext,
  { rcut, once, place }: Pick<PreparedCoordination, 'rcut' | 'once' | 'place'>,
  callsInto: (
    sums: PreparedCoordination['sums'],
  ) => Pick<PreparedCoordination, 'whole' | 'forForces'>,
): PreparedCoordination {
  const sums = ctx.value(noSums);
  const zero = prepareCellParticles(grid, zeroShares, ctx);
  const zeroOwn = prepareCellParticles(grid, zeroDerivatives(place), ctx);
  const { whole, forForces } = callsInto(sums);
  const asked = particlesVersion(grid);
  return {
    whole: [zero, ...whole],
    forForces: [zeroOwn, ...forForces],
    place,
    sums,
    rcut,
    once,
    isCurrent: () => asked === particlesVersion(grid),
    close() {
      for (const call of [zero, zeroOwn, ...whole, ...forForces]) call.close();
      sums.close();
    },
  };
}
