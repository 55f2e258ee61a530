import type { KernelSource } from '../device/GpuKernel.js';
import { declaredNames } from '../device/usedDeclarations.js';
import {
  noteBuffers,
  noteFast,
  noteOfWorkgroup,
  noteStatements,
} from '../neighbors/displacementText.js';

export const NEXT_POSITIONS = 'b_position_2e_next';
const STORE = new RegExp(`\\b(?:${NEXT_POSITIONS}|b_position)\\[(\\w+)\\] = row_position;`, 'g');

/** Variables without a value: inside of a loop Dawn sets them to zero once, and not in every turn. */
export const UNSET = /\bvar (\w+): ([^;=]+);/g;

/** Words of code, and comments as they are. */
const WORD = /\/\/.*$|(?<![.\w])[A-Za-z_]\w*/gm;
/** Variables of a thread, which are zero when a dispatch begins. */
const PRIVATE = /\bvar<private> (\w+): ([^;]+);/g;

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
export function mayEndStep({ buffers, body, lanes }: KernelSource): boolean {
  const access = new Map(buffers.map((one) => [one.name, one.access]));
  const moves =
    lanes === undefined ? access.get('b_position') === 'read_write' : access.has(NEXT_POSITIONS);
  const leaves = access.has('partials') || access.has('rows');
  return moves && !leaves && noteBuffers.every(({ name }) => access.has(name)) && isWhole(body);
}

/** Whether a kernel may be another part of a step: of pairs, without moving particles, or of values. */
export const mayBeWithinStep = (source: KernelSource): boolean =>
  isWhole(source.body) &&
  (isOfPairs(source)
    ? !source.buffers.some(({ name }) => name === NEXT_POSITIONS)
    : isOfValues(source));

const isWhole = (body: string): boolean => !/\breturn\b/.test(body);

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
  return stages.some(({ declarations = '', body }) =>
    [...`${declarations}${body}`.matchAll(/\b(b_\w+)\[([^\]]+)\]/g)].some(
      ([, name, row]) =>
        name !== 'b_position' && written.has(name!) && row !== 'own' && row !== 'index',
    ),
  );
}

/** Where a kernel stands among those of a step. */
interface Place {
  readonly k: number;
  /** The pair kernel, and its number. */
  readonly pairs: KernelSource;
  readonly pairsAt: number;
  /** Whether workgroups hold values of the context. */
  readonly holds: boolean;
  /** Whether a workgroup votes for other lists where one of its particles has gone farther than tau. */
  readonly votes: boolean;
}

/** The parameters of a stage are loaded where it begins: held from the beginning of the step they would take many registers. */
export function stageText(source: KernelSource, place: Place): StageText {
  const { k, pairs, pairsAt, holds, votes } = place;
  const { declarations = '' } = source;
  const body = votes ? source.body.replace(noteFast, 'askToVote();') : source.body;
  // What kernels over values do early may be done while workgroups meet after the pair kernel.
  const early = k === pairsAt + 1 ? (source.early ?? '') : '';
  const isFirst = source === pairs;
  const params = isFirst ? 'P' : `P${k}`;
  const names = new Set(isFirst ? [] : declaredNames(declarations));
  const position = isFirst ? 'positionAt' : 'ownPosition';
  const shared = (text: string): string =>
    text
      .replace(STORE, 'storePosition(writeAt + $1, row_position);')
      .replace(/\bb_position\[([^\]]+)\]/g, `${position}($1)`)
      .replace(/\bpartials\[(.+)\] = (.+);/g, 'storePartial($1, $2);')
      .replace(/\bpartials\[([^\]]+)\]/g, 'partialAt($1)')
      .replace(/\bvalues\[/g, holds ? 'held[' : 'values[')
      .replace(/\bP\./g, `${params}.`)
      .replace(WORD, (word) => (names.has(word) ? `${word}_${k}` : word));
  const own = shared(declarations);
  const stated = (part: string): string => shared(part).replace(UNSET, 'var $1 = $2();');
  const load = `${params} = series.records[record].${params};`;
  const text = `
    ${[...own.matchAll(PRIVATE)].map(([, name, type]) => `${name} = ${type}();`).join(' ')}
    ${stated(body.slice(early.length).replace(noteOfWorkgroup, ''))}`;
  const late = body.includes(noteOfWorkgroup) ? shared(noteStatements) : '';
  const common = { params, declarations: own, early: '', late };
  if (isFirst) return { ...common, body: `{${text}\n    }` };
  if (isOfValues(source))
    return early === ''
      ? { ...common, body: ofValues(`${load}${text}`) }
      : { ...common, early: `${load}${stated(early)}`, body: ofValues(text) };
  return { ...common, ...ofRows(`\n      ${load} ${params}.slot += since;${text}`, pairs) };
}

/** Values lie in workgroup memory. */
const ofValues = (text: string): string => `{
    ${text}
    }
    workgroupBarrier();`;

/** What loads rows of the particle, and where it was when lists were built. */
const LOAD = /\b(var row_\w+|let before) = (\w+(?:\[index\]|\(index\)));/g;

/** The first thread of each particle does it. Others load the same rows, which are in the cache of their workgroup. */
function ofRows(
  text: string,
  { lanes = 1, workgroupSize }: KernelSource,
): Pick<StageText, 'early' | 'body'> {
  const particles = workgroupSize / lanes;
  const loads = [...text.matchAll(LOAD)].map(([load]) => load);
  return {
    early: `// Rows of the particle are on the way meanwhile.
    let own = P.first + group * ${particles}u + lane % ${particles}u;
    let near = min(own, count - 1u);
    ${loads.map((load) => load.replace('index', 'near')).join('\n    ')}`,
    body: `{
      // The first thread of each particle.
      let index = ${lanes > 1 ? `select(0xffffffffu, own, lane < ${particles}u)` : 'own'};
      {${text.replace(LOAD, '')}
      }
    }`,
  };
}
