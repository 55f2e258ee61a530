import { type KernelSource, wholeBody } from '../device/GpuKernel.js';
import { declaredNames, withoutDeclaration } from '../device/usedDeclarations.js';
import { NOTE_FAST, noteBuffers } from '../neighbors/displacementText.js';
import { type ElementAccess, renamed, withElements } from '../wgsl/elements.js';
import type { SeriesForm } from './seriesForm.js';

export const NEXT_POSITIONS = 'b_position_2e_next';

/** A kernel as a part of one that takes many steps. */
export interface StageText {
  /** Name of its parameters. */
  readonly params: string;
  readonly declarations: string;
  /** What may be done while workgroups meet before the stage: loads of rows of the particle, values that need no results. */
  readonly early: string;
  readonly body: string;
  /** What a thread of the workgroup notes of displacements, which may be while workgroups meet after the stage. */
  readonly late: string;
}

/** Whether it is a pair kernel, whose threads have the particles that they have in all kernels of a step. */
export const isOfPairs = ({ lanes }: KernelSource): boolean => lanes !== undefined;

/** Whether it computes values of the context. */
export const isOfValues = ({ buffers }: KernelSource): boolean =>
  buffers.every(({ name }) => name === 'partials');

/** Whether a kernel may end a step of a series: it moves particles and notes how far, and leaves nothing that others combine. */
export function mayEndStep(source: KernelSource): boolean {
  const { buffers, lanes } = source;
  const access = new Map(buffers.map((one) => [one.name, one.access]));
  const moves =
    lanes === undefined ? access.get('b_position') === 'read_write' : access.has(NEXT_POSITIONS);
  const leaves = access.has('partials') || access.has('rows');
  return moves && !leaves && noteBuffers.every(({ name }) => access.has(name)) && isWhole(source);
}

/** Whether a kernel may be another part of a step: of pairs, without moving particles, or of values. */
export const mayBeWithinStep = (source: KernelSource): boolean =>
  isWhole(source) &&
  (isOfPairs(source)
    ? !source.buffers.some(({ name }) => name === NEXT_POSITIONS)
    : isOfValues(source));

/** Whether all threads come to its end. */
const isWhole = (source: KernelSource): boolean => !/\breturn\b/.test(wholeBody(source));

/**
 * Whether kernels may be a step of a series: one of pairs, and then none of particles but the last. Partial results are
 * combined after they are left, and no thread reads what another one writes.
 */
export function mayBeStep(stages: readonly KernelSource[]): boolean {
  const at = stages.findIndex(isOfPairs);
  const isInOrder = stages.every(
    (one, k) => (isOfPairs(one) ? k === at : isOfValues(one)) || k === stages.length - 1,
  );
  if (at < 0 || !isInOrder) return false;
  const leaves = (stages[at]!.results ?? 0) > 0;
  const combines = stages.map(
    (one, k) => k !== at && one.buffers.some(({ name }) => name === 'partials'),
  );
  const areCombined = combines.every((does, k) => !does || (leaves && k > at));
  return areCombined && combines.includes(true) === leaves && !readsOthers(stages);
}

/** Whether rows that a stage writes are read by other threads than those of their particle. */
function readsOthers(stages: readonly KernelSource[]): boolean {
  const written = new Set(
    stages.flatMap(({ buffers }) =>
      buffers.flatMap(({ name, access }) => (access === 'read_write' ? [name] : [])),
    ),
  );
  let reads = false;
  const look = (name: string): ElementAccess => ({
    at: (row) => {
      reads ||= row !== 'own' && row !== 'index';
      return `${name}[${row}]`;
    },
  });
  const rows = [...written].filter((name) => name.startsWith('b_') && name !== 'b_position');
  const access = new Map(rows.map((name) => [name, look(name)]));
  for (const source of stages) withElements(`${source.declarations}${wholeBody(source)}`, access);
  return reads;
}

/** Where a kernel stands among those of a step. */
interface Place {
  readonly k: number;
  /** The pair kernel, and its number. */
  readonly pairs: KernelSource;
  readonly pairsAt: number;
  /** Whether workgroups hold values of the context. */
  readonly holds: boolean;
  readonly form: SeriesForm;
  /** Whether a workgroup votes for other lists where one of its particles has gone farther than tau. */
  readonly votes: boolean;
}

/** How a stage reaches what all workgroups share: positions, and partial results. @param position the function that loads a position */
const accessTo = (position: string): ReadonlyMap<string, ElementAccess> => {
  const positions: ElementAccess = {
    at: (row) => `${position}(${row})`,
    store: (row, value) => `storePosition(writeAt + ${row}, ${value});`,
  };
  return new Map([
    ['b_position', positions],
    [NEXT_POSITIONS, positions],
    [
      'partials',
      {
        at: (k) => `partialAt(${k})`,
        store: (k, value) => `storePartial(${k}, ${value});`,
      },
    ],
  ]);
};

/** The parameters of a stage are loaded where it begins: held from the beginning of the step they would take many registers. */
export function stageText(source: KernelSource, place: Place): StageText {
  const { k, pairs, pairsAt, holds, form, votes } = place;
  const { late = '' } = source;
  const isFirst = source === pairs;
  const params = isFirst ? 'P' : `P${k}`;
  const declarations = votes
    ? withoutDeclaration(source.declarations ?? '', NOTE_FAST)
    : (source.declarations ?? '');
  const names = new Map(
    isFirst ? [] : declaredNames(declarations).map((name) => [name, `${name}_${k}`]),
  );
  names.set('P', params);
  if (holds) names.set('values', 'held');
  const access = accessTo(isFirst ? 'positionAt' : 'ownPosition');
  const shared = (text: string): string => renamed(withElements(text, access), names);
  const common = { params, declarations: shared(declarations), early: '', late: shared(late) };
  if (isFirst) return { ...common, body: inBlock(shared(source.body)) };
  const load = `${params} = ${form.record}.${params};`;
  if (!isOfValues(source))
    return {
      ...common,
      ...ofRows(source, `${load} ${params}.slot += ${form.since};`, shared, pairs),
    };
  // What kernels over values do early may be done while workgroups meet after the pair kernel.
  const early = `${load}${shared(source.early ?? '')}`;
  const body = shared(source.body);
  return k === pairsAt + 1
    ? { ...common, early, body: ofValues(body) }
    : { ...common, body: ofValues(`${early}${body}`) };
}

const inBlock = (text: string): string => `{
    ${text}
    }`;

/** Values lie in workgroup memory. */
const ofValues = (text: string): string => `${inBlock(text)}
    workgroupBarrier();`;

/** The first thread of each particle does it. Others load the same rows, which are in the cache of their workgroup. */
function ofRows(
  { body, loads = [] }: KernelSource,
  load: string,
  shared: (text: string) => string,
  { lanes = 1, workgroupSize }: KernelSource,
): Pick<StageText, 'early' | 'body'> {
  const particles = workgroupSize / lanes;
  const near = new Map([['index', 'near']]);
  const rest = loads.reduce((text, one) => text.replace(one, ''), body);
  return {
    early: `// Rows of the particle are on the way meanwhile.
    let own = P.first + group * ${particles}u + lane % ${particles}u;
    let near = min(own, count - 1u);
    ${loads.map((one) => renamed(shared(one), near)).join('\n    ')}`,
    body: `{
      // The first thread of each particle.
      let index = ${lanes > 1 ? `select(0xffffffffu, own, lane < ${particles}u)` : 'own'};
      {
      ${load}
    ${shared(rest)}
      }
    }`,
  };
}
