import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { strainNames } from '../../box/strainedBox.js';
import { listedBytes } from '../allPairs/listedSweep.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { StepCallOf } from '../calls/GpuCall.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { NEXT, NOTHING, type UsedBlocks } from '../kernels/usedBlocks.js';
import { noteBuffers } from '../neighbors/displacementText.js';
import { deviceType } from '../residency/DeviceBlock.js';
import { areApart } from './areApart.js';
import type { FusedPairs } from './PairGroup.js';
import { zeroedBlocks } from './zeroedBlocks.js';

/** Functors joined at most; bounds the number of parameters of a kernel. */
const MOST_JOINED = 6;
/** Values and parameters of the functors of one dispatch. */
const MOST_VALUES = 200;

/** A call that may be the end of a kernel over particles. */
type End = StepCallOf<'cells'> | StepCallOf<'reduction'>;
type Values = readonly StepCallOf<'values'>[];

/** Parameters that cell functors may add to a pair kernel: so its record never gets too long. */
const MOST_PARAMETERS = 40;
/** Bindings that sweeps add: for partial results, and for values of the context. */
const SWEEP_BINDINGS = 2;

/** What may be one kernel. */
export type JoiningRules = ReturnType<typeof joiningRules>;

/** Bindings of a kernel for buffers: large ones take more than one, also positions after the step and those of the lists. */
export function mostBindings({ limits, segmentBytes, reals }: GpuDevice, grid: Grid): number {
  const { blocks, count } = grid;
  const large = [...blocks.values()].filter((block) => {
    const { words } = deviceType(block, block.spec.name === 'position', reals.state);
    return 4 * words * count > segmentBytes;
  });
  return limits.maxStorageBuffersPerShaderStage - (large.length > 0 ? large.length + 2 : 0);
}

/** @param most bindings of a kernel for buffers. */
export function joiningRules(grid: Grid, most: number) {
  const known = new Map<Functor, ReadonlySet<string>>();
  const hasTotals = ({ call, args, zeroed }: FusedPairs): boolean =>
    call.intoValues(args, zeroed)?.length !== 0;
  /** Places of the values that a call takes as parameters. */
  const reads = ({ call, args }: End): readonly number[] => {
    const { tables, blocks } = call.alone.program.text;
    const places = tables.flatMap((one) => one.placesOf(args.params));
    const strain = namesOf(blocks).has('position') && strainOf(grid);
    // Kernels see positions through it.
    return strain ? [...places, ...strainNames.map((_, k) => strain.place + k)] : places;
  };
  return {
    reads,
    /** Whether totals of a pair call go into values, or to the host. */
    hasTotals,
    /** Whether a call may share a kernel at all: it has no tables, is not written by hand, and its results are values. */
    mayShare: ({ call }: End): boolean => {
      const [tables] = call.alone.program.text.tables;
      const isPlain = !tables!.hasTables && !call.functor.spec.wgsl;
      return isPlain && (call.kind === 'cells' || call.intoValues !== null);
    },
    /** Whether these calls fit one kernel, with a note of displacements. */
    mayJoin: (ends: readonly End[]) => {
      const used = namesOf(ends.flatMap(blocksOf)).add('position');
      return ends.length <= MOST_JOINED && used.size + noteBuffers.length + 1 <= most;
    },
    /** Whether these calls may follow a pair call in its kernel: none must write what other threads still read of neighbors. */
    mayFollow: ({ call, args, zeroed }: FusedPairs, ends: readonly End[]) => {
      const totals = call.intoValues(args, zeroed);
      const program = call.programFor(args, zeroed);
      const { extend, blocks, neighborBlocks, otherBindings } = program;
      if (!extend || !totals || ends.length > MOST_JOINED) return false;
      const places = new Set(totals.map(({ place }) => place));
      if (!areApart(ends.flatMap(reads), places)) return false;
      const used = ends.flatMap(blocksOf);
      const tables = ends.flatMap((one) => one.call.alone.program.text.tables);
      const usesValues =
        strainOf(grid) !== undefined || [program.tables, ...tables].some((one) => one.usesValues);
      const partials = totals.length === 0 && ends.some(({ call }) => call.kind === 'reduction');
      const others = otherBindings + noteBuffers.length + Number(usesValues) + Number(partials);
      return (
        areApart(writtenOf(used), neighborBlocks) &&
        tables.flatMap(({ params }) => Object.keys(params)).length <= MOST_PARAMETERS &&
        namesOf([...blocks, ...used]).add(NEXT).size + others <= most
      );
    },
    /**
     * Whether sweeps may be part of the kernel of a pair call and the cell calls after it: none of these and of the sweeps must
     * write what a sweep or the pair call reads of others, and the lists of the pair call must have all pairs within their cutoffs.
     */
    maySweep: (pairs: FusedPairs, ends: readonly End[], sweeps: readonly StepCallOf<'sweep'>[]) => {
      const program = pairs.call.programFor(pairs.args, pairs.zeroed);
      const { extend, lanes, totals, sharedBytes, neighborBlocks, otherBindings } = program;
      const calls = sweeps.map(({ call }) => call);
      const isListed = calls.every(({ rcut, isNear }) => rcut <= pairs.call.plan.rcut && isNear);
      if (!extend || totals.length > 0 || strainOf(grid) || !isListed) return false;
      const used = [...program.blocks, ...ends.flatMap(blocksOf)];
      const written = new Set(calls.flatMap(({ writtenBlocks }) => [...writtenBlocks]));
      const seen = new Set(['position', ...calls.flatMap((call) => [...call.neighborBlocks])]);
      const bound = new Set([...namesOf(used), ...calls.flatMap(({ blocks }) => [...blocks])]);
      const bytes = sweeps.map(({ call, args }, k) =>
        listedBytes(call.bindAs(k, args.params).parts, lanes),
      );
      return (
        areApart(new Set([...writtenOf(used), ...written]), seen) &&
        areApart(written, neighborBlocks) &&
        bytes.reduce((sum, size) => sum + size, sharedBytes) <= calls[0]!.workgroupBytes &&
        bound.size + otherBindings + SWEEP_BINDINGS <= most
      );
    },
    /** Whether these value functors may be one dispatch. */
    mayMeet: (values: Values) => values.length <= MOST_JOINED && sizeOf(values) <= MOST_VALUES,
    /** The blocks that a cell call clears and that the pair call would only add to; none where it looks at them. */
    cleared: (
      { call: { functor } }: StepCallOf<'cells'>,
      { call, args }: StepCallOf<'pairs'>,
    ): ReadonlySet<string> => {
      const zeroed = known.get(functor) ?? zeroedBlocks(functor, grid);
      known.set(functor, zeroed);
      if (zeroed.size === 0) return NOTHING;
      return call.programFor(args, zeroed).fresh.size > 0 ? zeroed : NOTHING;
    },
  };
}

const blocksOf = ({ call }: End): UsedBlocks => call.alone.program.text.blocks;

const namesOf = (used: UsedBlocks): Set<string> => new Set(used.map(({ name }) => name));

const writtenOf = (used: UsedBlocks): Set<string> =>
  namesOf(used.filter(({ written }) => written === true));

/** Numbers that value functors find in the record of one dispatch; infinite where one of several has tables. */
function sizeOf(values: Values): number {
  const parameters = values.map(({ call, args }) => {
    const numbers = Object.values(args.params);
    const hasTables = numbers.some((value) => typeof value !== 'number');
    return hasTables ? Infinity : numbers.length + call.placed.places.length;
  });
  return parameters.reduce((sum, size) => sum + size, 0);
}
