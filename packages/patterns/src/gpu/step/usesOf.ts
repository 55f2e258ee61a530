import { type GpuStepCall, isOf } from '../calls/GpuCall.js';
import { placesSet } from '../kernels/placesSet.js';
import { areApart } from './areApart.js';

/** Blocks and values that a call reads and writes. */
interface Uses {
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
}

const valueAt = (place: number): string => `value ${place}`;

/** What cell calls, sweeps and value functors use; null for other calls. */
function usesOf(one: GpuStepCall): Uses | null {
  if (isOf(one, 'sweep')) {
    const { blocks, writtenBlocks } = one.call;
    const totals = one.call.intoValues(one.args).map(({ place }) => valueAt(place));
    return { reads: blocks, writes: new Set([...writtenBlocks, ...totals]) };
  }
  if (isOf(one, 'values')) {
    const { placed } = one.call;
    return {
      reads: new Set([...placed.places.map(valueAt), ...parametersOf(one)]),
      writes: new Set(placesSet(placed).map(valueAt)),
    };
  }
  if (!isOf(one, 'cells')) return null;
  const { grid, functor } = one.call;
  const blocks = Object.entries(functor.ir!.roles.i ?? {}).map(([field, { writable }]) => ({
    name: grid.field(field).block,
    writable,
  }));
  return {
    reads: new Set([...blocks.map(({ name }) => name), ...parametersOf(one)]),
    writes: new Set(blocks.filter(({ writable }) => writable).map(({ name }) => name)),
  };
}

/** Values that are its parameters. */
function parametersOf({ call, args }: GpuStepCall): string[] {
  const { p = {} } = 'functor' in call ? call.functor.ir!.roles : {};
  const names = Object.keys(p).filter((name) => p[name]!.fromValue);
  return names.map((name) => valueAt(args.params[name] as number));
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
