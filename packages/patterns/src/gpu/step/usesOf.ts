import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { strainNames } from '../../box/strainedBox.js';
import type { CallArguments } from '../../plan/calls.js';
import { zeroTotals } from '../../plan/calls.js';
import { pairBlocks } from '../../plan/pairBlocks.js';
import { strainOf } from '../box/DeviceStrain.js';
import { type GpuStepCall, isOf } from '../calls/GpuCall.js';
import { placesSet } from '../kernels/placesSet.js';
import { areApart } from './areApart.js';

/** Blocks and values that a call reads and writes. */
interface Uses {
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
}

/** Whether two calls may change places. */
export function mayChangePlaces(a: GpuStepCall, b: GpuStepCall): boolean {
  const [some, others] = [usesOf(a), usesOf(b)];
  if (!some || !others) return false;
  return (
    areApart(some.writes, others.reads) &&
    areApart(some.writes, others.writes) &&
    areApart(others.writes, some.reads)
  );
}

/** What cell calls, pair calls, sweeps and value functors use; null for other calls. */
function usesOf(one: GpuStepCall): Uses | null {
  const { args } = one;
  if (isOf(one, 'values')) {
    const { placed } = one.call;
    const reads = [...placed.places.map(valueAt), ...parametersOf(placed.functor, args)];
    return { reads: new Set(reads), writes: new Set(placesSet(placed).map(valueAt)) };
  }
  if (isOf(one, 'cells')) {
    const { grid, functor } = one.call;
    const fields = Object.entries(functor.ir!.roles.i ?? {});
    const blocksOf = (some: typeof fields) => some.map(([field]) => grid.field(field).block);
    const reads = [...blocksOf(fields), ...parametersOf(functor, args)];
    const written = fields.filter(([, { writable }]) => writable);
    return { reads: throughStrain(grid, reads), writes: new Set(blocksOf(written)) };
  }
  if (!isOf(one, 'sweep') && !isOf(one, 'pairs')) return null;
  const { plan } = one.call;
  const { read, neighbors, added } = pairBlocks(plan);
  const blocks = ['position', ...read, ...neighbors, ...added];
  const first = plan.into?.values.parameter(plan.into.at);
  const totals = Object.keys(first === undefined ? {} : zeroTotals(plan));
  return {
    reads: throughStrain(plan.grid, [...blocks, ...parametersOf(plan.functor, args)]),
    writes: new Set([...added, ...totals.map((_, k) => valueAt(first! + k))]),
  };
}

const valueAt = (place: number): string => `value ${place}`;

/** Values that are parameters of a functor. */
function parametersOf({ ir }: Functor, { params }: CallArguments): string[] {
  const { p = {} } = ir!.roles;
  const names = Object.keys(p).filter((name) => p[name]!.fromValue);
  return names.map((name) => valueAt(params[name] as number));
}

/** Who sees positions sees them through the strain of the box, which is values. */
function throughStrain(grid: Grid, reads: readonly string[]): ReadonlySet<string> {
  const strain = reads.includes('position') && strainOf(grid);
  return new Set(
    strain ? [...reads, ...strainNames.map((_, k) => valueAt(strain.place + k))] : reads,
  );
}
