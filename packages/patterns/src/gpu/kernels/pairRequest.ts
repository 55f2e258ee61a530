import type { FunctorIR } from '@corpuscle/functor';
import { sumOutputs, withOutputs } from '@corpuscle/functor/passes';
import type { PairCall, ParameterValues, Plan } from '../../plan/calls.js';
import { pairBlocks } from '../../plan/pairBlocks.js';
import type { DeviceReals } from '../double/DeviceReals.js';
import { realSums } from '../double/PairSums.js';
import type { EntryFormat } from '../neighbors/EntryFormat.js';
import { FunctorTables } from './FunctorTables.js';
import { functorText } from './functorText.js';
import type { PairKernelRequest } from './pairKernel.js';
import { pairMoments } from './pairMoments.js';
import { NOTHING } from './usedBlocks.js';
import { withoutBranches } from './withoutBranches.js';

/** What the kernel of a pair call depends on besides the plan of the call. */
export interface PairVariant {
  readonly params: ParameterValues;
  readonly orthorhombic: boolean;
  readonly format: EntryFormat;
  /** Threads wanted for a particle. */
  readonly lanes: number;
  /** Blocks that are zero before the call. */
  readonly zeroed: ReadonlySet<string>;
}

/**
 * Chooses how the functor of a pair call is written: totals that positions tell, branches, threads a particle, sums that overwrite.
 *
 * @param special the functor as the parameters make it.
 */
export function pairRequest(
  plan: Plan<PairCall>,
  special: FunctorIR,
  variant: PairVariant,
  reals: DeviceReals,
): PairKernelRequest {
  const { functor, outputs, form } = plan;
  const { orthorhombic, format, zeroed } = variant;
  const kept = new Set(Object.keys(outputs).filter((name) => outputs[name] !== 'none'));
  const bufferless = form !== 'buffered';
  const isPlain = bufferless && reals.state === 'f32';
  const moments = isPlain ? pairMoments(plan, withOutputs(special, kept)) : [];
  for (const { field } of moments) kept.delete(field);
  const reduced = withOutputs(special, kept);
  const handWritten = functor.spec.wgsl !== undefined;
  const kinds = [...sumOutputs(reduced).values()];
  const onlySums = handWritten || kinds.every((kind) => kind === 'sum');
  const mayFlatten = bufferless && reals.pair === 'f32' && onlySums && !handWritten;
  const flattened = mayFlatten ? withoutBranches(reduced) : null;
  const ir = flattened ?? reduced;
  const lanes = bufferless && onlySums ? variant.lanes : 1;
  const fresh = onlySums && !handWritten ? overwritten(plan, zeroed) : NOTHING;
  const tables = new FunctorTables(ir, '', reals.pair);
  const isLong = reals.pair === 'f64';
  const gathered = isLong && onlySums ? realSums(ir) : NOTHING;
  const lowered = functorText(functor, ir, tables, '', { gathered, hoist: isLong });
  const flat = flattened !== null;
  const how = { orthorhombic, format, lanes, flat, reals, fresh, moments, gathered };
  return { ...plan, ...how, ir, lowered, tables, fusedCells: null };
}

/** The zeroed blocks, if the call adds to all of them and looks at none. */
function overwritten(plan: Plan<PairCall>, zeroed: ReadonlySet<string>): ReadonlySet<string> {
  const { read, neighbors, added } = pairBlocks(plan);
  const isOverwritten = (block: string) =>
    added.has(block) && !read.has(block) && !neighbors.has(block);
  return [...zeroed].every(isOverwritten) ? zeroed : NOTHING;
}
