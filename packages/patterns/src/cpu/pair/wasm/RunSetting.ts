import type { FunctorIR } from '@corpuscle/functor/ir';
import { type FunctionBuilder, i32, type LaneValue, type WasmNode } from '@corpuscle/functor/wasm';
import type { OutputBlock } from '../outputBlocks.js';
import type { PairOutput, PairPlan } from '../PairPlan.js';
import type { Measure } from './distances.js';
import type { PairParameters } from './pairSlots.js';

/** What all runs of a kernel share. */
export interface RunSetting {
  readonly f: FunctionBuilder;
  readonly plan: PairPlan;
  /** The functor without what is uniform. */
  readonly ir: FunctorIR;
  readonly measure: Measure;
  readonly positions: WasmNode;
  readonly cutoff2: WasmNode;
  readonly neighborBases: readonly WasmNode[];
  readonly parameters: PairParameters;
  readonly variables: ReadonlyMap<string, LaneValue>;
  /** Whether contributions go to neighbors, too: half lists. */
  readonly scatters: boolean;
  /** What half lists scatter to, and where row 0 of each block is; row numbers are shifted so far. */
  readonly blocks: readonly OutputBlock[];
  readonly bases: readonly WasmNode[];
  readonly rowShift: (block: number) => number;
  /** Sums over neighbors, one local an output. */
  readonly sums: ReadonlyMap<string, number>;
  /** The block and the fields of a central force on a row of its own. */
  readonly force: { readonly block: OutputBlock; readonly fields: [string, string, string] } | null;
  /** Sums of whole force rows, where differences lie in rows (singles): transposes nothing back. */
  readonly rowSums: readonly number[] | null;
  readonly scratch: WasmNode;
}

/** One run of neighbors of a central particle: indices from the address in local `p` up to `end`, in multiples of four. */
export interface Run {
  readonly p: number;
  readonly end: WasmNode;
  readonly center: readonly WasmNode[];
  readonly central: ReadonlyMap<string, LaneValue>;
}

/** Row numbers of the neighbors of vector `k` from the index at `p` on. */
export function neighborRows({ f, measure }: RunSetting, p: number, k: number): WasmNode[] {
  const { count } = measure.lanes;
  return Array.from({ length: count }, (_, lane) =>
    f.keep(i32.load(f.get(p), 4 * (count * k + lane))),
  );
}

/** Where contributions to an output wait for being scattered. */
export const outputSlot = ({ field }: PairOutput): string => `output ${field}`;
