import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { strainNames } from '../../box/strainedBox.js';
import { listedBytes } from '../allPairs/listedSweep.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { StepCallOf } from '../calls/GpuCall.js';
import type { CellKernelText } from '../kernels/cellKernel.js';
import { placesSet } from '../kernels/placesSet.js';
import { NEXT, NOTHING, type UsedBlocks } from '../kernels/usedBlocks.js';
import { noteBuffers } from '../neighbors/displacementText.js';
import { areApart } from './areApart.js';
import type { FusedPairs } from './PairGroup.js';
import { zeroedBlocks } from './zeroedBlocks.js';

/** Functors joined at most; bounds the number of parameters of a kernel. */
const MOST_JOINED = 6;
/** Values and parameters of the functors of one dispatch. */
const MOST_VALUES = 200;

type Cells = readonly StepCallOf<'cells'>[];
type Reductions = readonly StepCallOf<'reduction'>[];
type Values = readonly StepCallOf<'values'>[];

/** Parameters that cell functors may add to a pair kernel: so its record never gets too long. */
const MOST_PARAMETERS = 40;
/** Bindings that a sweep adds: for partial results, and for values of the context. */
const SWEEP_BINDINGS = 2;

/** What may be one kernel. */
export type JoiningRules = ReturnType<typeof joiningRules>;

/** @param most bindings of a kernel for buffers. */
export function joiningRules(grid: Grid, most: number) {
  const known = new Map<Functor, ReadonlySet<string>>();
  const isFew = (...calls: (readonly unknown[])[]) => calls.flat().length <= MOST_JOINED;
  const hasTotals = ({ call, args, zeroed }: FusedPairs): boolean =>
    call.intoValues(args, zeroed)?.length !== 0;
  /** Places of the values that a cell call takes as parameters. */
  const reads = ({ call, args }: StepCallOf<'cells'>): readonly number[] => [
    ...call.alone.text.tables.flatMap((tables) => tables.placesOf(args.params)),
    ...(usesPositions(call.alone.text) ? placesOfStrain(grid) : NO_PLACES),
  ];
  return {
    reads,
    /** Whether totals of a pair call go into values, or to the host. */
    hasTotals,
    /** Whether a cell call may share a kernel at all: it has no tables and is not written by hand. */
    mayShare: ({ call: { functor, alone } }: StepCallOf<'cells'>) =>
      mayJoinOthers(functor, alone.text),
    /** Whether a reduction may be the end of a kernel: the same, and its results are values. */
    mayEnd: ({ call: { functor, intoValues, alone } }: StepCallOf<'reduction'>) =>
      intoValues !== null && mayJoinOthers(functor, alone.text),
    /** Whether these calls fit one kernel. */
    mayJoin: (cells: Cells, reductions: Reductions) =>
      isFew(cells, reductions) && bindingsOf(cells, reductions) <= most,
    /** Whether these calls may follow a pair call in its kernel: none must write what other threads still read of neighbors. */
    mayFollow: ({ call, args, zeroed }: FusedPairs, cells: Cells, reductions: Reductions) => {
      const totals = call.intoValues(args, zeroed);
      const { extend, blocks, neighborBlocks, otherBindings } = call.programFor(args, zeroed);
      if (!extend || !totals || !isFew(cells, reductions)) return false;
      const places = new Set(totals.map(({ place }) => place));
      if (cells.some((cell) => reads(cell).some((place) => places.has(place)))) return false;
      const texts = textsOf(cells, reductions);
      const used = texts.flatMap((text) => text.blocks);
      const tables = texts.flatMap((text) => text.tables);
      const usesValues = strainOf(grid) !== undefined || tables.some((table) => table.usesValues);
      const partials = reductions.length > 0 && totals.length === 0;
      const others = otherBindings + noteBuffers.length + Number(usesValues) + Number(partials);
      return (
        areApart(writtenOf(used), neighborBlocks) &&
        tables.flatMap(({ params }) => Object.keys(params)).length <= MOST_PARAMETERS &&
        namesOf([...blocks, ...used]).add(NEXT).size + others <= most
      );
    },
    /**
     * Whether a sweep may be part of the kernel of a pair call and the cell calls after it: these must not write what it reads of
     * others, nor it what the pair call reads of others, and the lists of the pair call must have all pairs within its cutoff.
     */
    maySweep: (pairs: FusedPairs, cells: Cells, { call: sweep, args }: StepCallOf<'sweep'>) => {
      const program = pairs.call.programFor(pairs.args, pairs.zeroed);
      const { extend, lanes, totals, sharedBytes, neighborBlocks, otherBindings } = program;
      const isListed = sweep.rcut <= pairs.call.rcut && sweep.isNear;
      if (!extend || totals.length > 0 || strainOf(grid) || !isListed) return false;
      const used = [...program.blocks, ...textsOf(cells, []).flatMap(({ blocks }) => blocks)];
      const bound = new Set([...namesOf(used), ...sweep.blocks]).size;
      return (
        areApart(writtenOf(used), new Set(['position', ...sweep.neighborBlocks])) &&
        areApart(sweep.writtenBlocks, neighborBlocks) &&
        sharedBytes + listedBytes(sweep.bind(args.params).parts, lanes) <= sweep.workgroupBytes &&
        bound + otherBindings + SWEEP_BINDINGS <= most
      );
    },
    /** Whether these value functors may be one dispatch. */
    mayMeet: (values: Values) => isFew(values) && sizeOf(values) <= MOST_VALUES,
    /** Places of the values that a value functor sets. */
    writes: ({ call: { placed } }: StepCallOf<'values'>): readonly number[] => placesSet(placed),
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

function mayJoinOthers(
  { spec }: { readonly spec: { readonly wgsl?: unknown } },
  { tables }: CellKernelText,
): boolean {
  return !tables[0]!.hasTables && !spec.wgsl;
}

const usesPositions = ({ blocks }: CellKernelText): boolean =>
  blocks.some(({ name }) => name === 'position');

const NO_PLACES: readonly number[] = [];

/** Values that kernels see positions through. */
function placesOfStrain(grid: Grid): readonly number[] {
  const strain = strainOf(grid);
  return strain ? strainNames.map((_, k) => strain.place + k) : NO_PLACES;
}

const textsOf = (cells: Cells, reductions: Reductions): CellKernelText[] =>
  [...cells, ...reductions].map(({ call }) => call.alone.text);

const namesOf = (used: UsedBlocks): Set<string> => new Set(used.map(({ name }) => name));

const writtenOf = (used: UsedBlocks): Set<string> =>
  namesOf(used.filter(({ written }) => written === true));

/** Bindings of one kernel for some cell calls and reductions, and a note of displacements. */
function bindingsOf(cells: Cells, reductions: Reductions): number {
  const used = textsOf(cells, reductions).flatMap(({ blocks }) => blocks);
  return namesOf(used).add('position').size + noteBuffers.length + 1;
}

/** Numbers that value functors find in the record of one dispatch; infinite where one of several has tables. */
function sizeOf(values: Values): number {
  const parameters = values.map(({ call, args }) => {
    const numbers = Object.values(args.params);
    const hasTables = numbers.some((value) => typeof value !== 'number');
    return hasTables ? Infinity : numbers.length + call.placed.places.length;
  });
  return parameters.reduce((sum, size) => sum + size, 0);
}
