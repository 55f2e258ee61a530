import { sweepBytes } from '../allPairs/sweepPart.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { StepCallOf } from '../calls/GpuCall.js';
import type { UsedBlocks } from '../pattern/BoundBlocks.js';
import type { FusedPairs } from './PairGroup.js';

/** Bindings for partial results, and for values of the context. */
const OWN_BINDINGS = 2;

/**
 * Whether a sweep over all pairs may be part of the kernel of a pair call and the cell calls after it: these must not write what it
 * reads of others, nor it what the pair call reads of others, and as many threads must share a particle as when it is alone.
 *
 * @param most bindings of a kernel for buffers
 */
export function maySweep(
  { call, args, zeroed }: FusedPairs,
  cells: readonly StepCallOf<'cells'>[],
  { call: sweep, args: { params } }: StepCallOf<'sweep'>,
  most: number,
): boolean {
  const program = call.programFor(args, zeroed);
  if (
    !program.extend ||
    program.totals.length > 0 ||
    strainOf(call.grid) ||
    program.lanes !== sweep.lanes
  )
    return false;
  const used = cells.flatMap(({ call: cell }) => cell.alone.text.blocks);
  const isMoved = ({ name, written = false }: UsedBlocks[number]): boolean =>
    written && (name === 'position' || sweep.neighborBlocks.has(name));
  if (used.some(isMoved) || program.blocks.some(isMoved)) return false;
  if ([...sweep.writtenBlocks].some((name) => program.neighborBlocks.has(name))) return false;
  const names = new Set([...program.blocks, ...used].map(({ name }) => name));
  for (const name of sweep.blocks) names.add(name);
  const bytes = program.sharedBytes + sweepBytes(sweep.bind(params).parts, program.lanes);
  return bytes <= sweep.workgroupBytes && names.size + program.otherBindings + OWN_BINDINGS <= most;
}
