import { FieldBlock } from '@corpuscle/core';
import {
  HEADER_BYTES,
  type KernelBuffer,
  type KernelSource,
  type KernelStage,
} from '../device/GpuKernel.js';
import { BUILT, STOPPED } from '../neighbors/displacementText.js';
import { renamed, withElements } from '../wgsl/elements.js';
import { LINE_ROWS, meetingBuffer, meetingText, stepEndText, votingText } from './meetingText.js';
import { partialRows, partialsText, positionsText } from './rowsText.js';
import { ofSimulation, type SeriesForm } from './seriesForm.js';
import { isOfPairs, isOfValues, NEXT_POSITIONS, type StageText, stageText } from './stageText.js';

/** The largest binding of uniforms that every device allows. */
export const MOST_UNIFORM_BYTES = 65_536;

/** Steps of a series. Bits say before which of them lists are built, and which have parameters of their own. */
export const MOST_STEPS = 256;

/** Steps of a series that may have parameters of their own, of so many bytes. */
export const mostRecords = (bytes: number): number =>
  Math.min(MOST_STEPS, Math.floor((MOST_UNIFORM_BYTES - HEADER_BYTES) / bytes));

/** Values of the context that a workgroup may hold. */
export const HELD_VALUES = 256;

/** Rows of `meeting` that a step fills: positions and dummies, then partial results of workgroups, so many of each. */
export const stepRows = (particles: number, partials: number, workgroups: number): number =>
  lines(particles + FieldBlock.PADDING) + lines(partialRows(partials) * workgroups);
const lines = (rows: number): number => Math.ceil(rows / LINE_ROWS) * LINE_ROWS;

/** Partial results that a workgroup leaves in a step. */
export const partialsOf = (stages: readonly KernelSource[]): number =>
  stages.find(isOfPairs)?.results ?? 0;

/**
 * The kernels of a step as one, which takes many steps in one dispatch, with a barrier between workgroups in place of the end of a
 * dispatch:
 *
 *   share positions │ step │ meet │ step │ meet │ … │ step │ meet │ store positions
 *                     records[0]    records[0]        records[1]
 *
 *   step            values │ pairs, which move the particles
 *   or              values │ pairs ┄ meet ┄ values │ particles
 *
 * Its text is that of the kernels but for what other workgroups must see: positions and partial results. Each step says its own in
 * other rows of `meeting`. Each kernel has the parameters that its own dispatch would have: those of the step before, with the next
 * record of a list update, where a step has none of its own. All else that a step writes belongs to one thread: kernels over
 * particles are made by the first thread of each particle.
 *
 * Values of the context are computed by the first thread of each workgroup, on a copy of all values in workgroup memory. All
 * workgroups find the same, and one stores it in the end.
 *
 * Where lists are built in place between two steps, each workgroup builds those of its own particles: before steps that the host has
 * marked, and where one of them has voted for it, as a particle of its has gone farther than tau.
 *
 * @param stages the kernels of a step, in their order. @param build the text of those builds; null where there are none.
 * @param bytes of the parameters of each kernel in the uniform buffer
 * @param form where the text finds what its dispatch gives it
 */
export function residentSource(
  stages: readonly KernelSource[],
  build: KernelStage | null,
  bytes: readonly number[],
  form = ofSimulation,
): KernelSource {
  const pairs = stages.find(isOfPairs)!;
  const holds = stages.some(isOfValues);
  const pairsAt = stages.indexOf(pairs);
  const votes = build !== null;
  const texts = stages.map((one, k) => stageText(one, { k, pairs, pairsAt, holds, form, votes }));
  const all = stages.map(({ label }) => label).join(' │ ');
  return {
    label: `${all}, many steps`,
    about: aboutSeries(stages, build),
    workgroupSize: pairs.workgroupSize,
    buffers: buffersOf(stages, build),
    params: {},
    records: {
      most: mostRecords(bytes.reduce((sum, one) => sum + one, 0)),
      stages: texts.map(({ params }, k) => ({
        ...{ name: params, bytes: bytes[k]! },
        ...{ params: stages[k]!.params, functors: stages[k]!.functors },
      })),
      build,
    },
    declarations: declarationsText(texts, build, form, holds, partialsOf(stages)),
    body: bodyText(stages, texts, build, form),
  };
}

const aboutSeries = (stages: readonly KernelSource[], build: KernelStage | null): string =>
  [
    ...stages.map(({ about = '' }) => about),
    'Many steps in one dispatch: workgroups meet after each, and see positions in `meeting`.',
    ...(partialsOf(stages) > 0
      ? ['  sums      they meet within a step too, and see partial results there']
      : []),
    ...(stages.some(isOfValues) ? ['  values    each workgroup computes them for itself'] : []),
    ...(build
      ? [
          '  build     each workgroup builds the lists of its particles, before some steps and where one votes for it',
        ]
      : []),
  ].join('\n');

/** Every buffer once. */
function buffersOf(
  stages: readonly KernelSource[],
  build: KernelStage | null,
): readonly KernelBuffer[] {
  const written = new Set(['b_position']);
  const all = new Map<string, KernelBuffer>();
  for (const { buffers } of [...stages, ...(build ? [build] : [])])
    for (const one of buffers) {
      if (one.access === 'read_write') written.add(one.name);
      if (one.name !== 'partials' && !all.has(one.name)) all.set(one.name, one);
    }
  const access = (name: string) => (written.has(name) ? 'read_write' : 'read');
  return [
    ...[...all.values()].map((one) => ({ ...one, access: access(one.name) }) as const),
    meetingBuffer,
  ];
}

/** Names of its buffers before that of meetings, in their order. */
export const buffersBeforeMeeting = (stages: readonly KernelSource[]): readonly string[] =>
  buffersOf(stages, null)
    .map(({ name }) => name)
    .slice(0, -1);

/** Text of a build: its parameters are the same each time, but for the record of the update, which the step before has. */
const buildText = (text: string, parameters: string): string =>
  renamed(
    withElements(text, READ_POSITIONS).replaceAll('P.slot', 'noted'),
    new Map([['P', parameters]]),
  );

const READ_POSITIONS = new Map([['b_position', { at: (row: string) => `positionAt(${row})` }]]);

/** Lists are built before a step that is marked, and where a workgroup has voted for it, which the record of the update says. */
const builtText = (build: KernelStage, form: SeriesForm): string => `
    if (isAsked && index == 0u) { atomicAdd(&displacements[4u * noted + 3u], ${BUILT}u); }
    if (isAsked || isMarked(${form.builds}, step)) {
      {${buildText(build.body, form.build)}
      }
      storageBarrier();
    }`;

const declarationsText = (
  texts: readonly StageText[],
  build: KernelStage | null,
  form: SeriesForm,
  holds: boolean,
  partials: number,
): string => `
${meetingText(form)}${build ? votingText(form) : ''}
fn isMarked(bits: vec4u, step: u32) -> bool { return (bits[(step >> 5u) & 3u] & (1u << (step & 31u))) != 0u; }
// Rows before the positions that a step reads, and before those that it writes. Cells stay: only sorts change them.
var<private> readAt: u32;
var<private> writeAt: u32;
${positionsText}${partials > 0 ? partialsText(partials) : ''}${
  holds
    ? `// Values of the context as this workgroup has found them.
var<workgroup> held: array<vec2f, ${HELD_VALUES}>;`
    : ''
}
${texts.map(({ declarations }) => declarations).join('\n')}
${build ? buildText(build.declarations, form.buildInFunctions) : ''}`;

function bodyText(
  stages: readonly KernelSource[],
  texts: readonly StageText[],
  build: KernelStage | null,
  form: SeriesForm,
): string {
  const pairs = stages.find(isOfPairs)!;
  const { workgroupSize } = pairs;
  const exchanges =
    form.exchanged !== null &&
    stages.some(({ buffers }) => buffers.some(({ name }) => name === NEXT_POSITIONS));
  const last = texts.at(-1)!.params;
  const holds = stages.some(isOfValues);
  const partials = partialsOf(stages);
  const built = build ? builtText(build, form) : '';
  // What the next kernels do early is done while workgroups meet, loads first. Where they do not, all threads are done with the values that the
  // next kernel changes.
  const at = stages.indexOf(pairs);
  const early = texts
    .slice(at + 1)
    .map((one) => one.early)
    .reverse()
    .join('\n    ');
  const end = stepEndText(build !== null);
  const meet = `
    arrive(lane);
    ${early}
    isWhole = haveMet(lane, storeRound);
    if (!isWhole) { break; }
    loadRound = storeRound;
    storeRound += groups3.x;`;
  const after = partials > 0 ? meet : `\n    workgroupBarrier();\n    ${early}`;
  const steps = stages.map(
    (_, k) => `${texts[k]!.body}${k === at && k < stages.length - 1 ? after : ''}`,
  );
  return `
  P = ${form.firstRecord}.P;
  let count = P.end;
  let filled = count + ${FieldBlock.PADDING}u;
  let rows = ${linesText('filled')};
  let threads = groups3.x * ${workgroupSize}u;
  ${holds ? `for (var k = lane; k < ${HELD_VALUES}u; k += ${workgroupSize}u) { held[k] = values[k]; }` : ''}
  cellBits = bitsOfCells(vec3u(P.dims.xyz));
  storeRound = series.met + groups3.x;
  writeAt = ${form.firstRow};
  for (var row = index; row < filled; row += threads) { storePosition(writeAt + row, b_position[row]); }
  var isWhole = meetAll(lane, storeRound);${end.begin}
  // The first step has the first record.
  var record = 0u;
  var since = 0u;
  let steps = series.steps;
  for (var step = 0u; step < steps && isWhole; step++) {${
    build
      ? `
    let noted = ${last}.slot;`
      : ''
  }
    since++;
    if (${form.hasOwn}) {
      record += select(0u, 1u, step > 0u);
      since = 0u;
    }
    P = ${form.record}.P;${last === 'P' ? ` P.slot += ${form.since};` : ''}
    readAt = writeAt;
    writeAt += rows${partials > 0 ? ` + ${linesText(`(${partialRows(partials)}u * groups3.x)`)}` : ''};
    ${partials > 0 ? 'partialsAt = writeAt + rows;' : ''}
    loadRound = storeRound;
    loadMark = markOf(loadRound);
    storeRound += groups3.x;
${built}
    ${steps.join('\n    ')}
    // Lists point to dummy rows too, which never move.
    if (index < ${FieldBlock.PADDING}u) { storePosition(writeAt + count + index, b_position[count + index]); }
    ${end.arrive}
    // Not by the thread that waits.
    if (lane == ${workgroupSize / 2}u) {${texts.at(-1)!.late}
    }
    ${end.meet}
  }${end.after}
  if (isWhole && !hasFailed()) {
    readAt = writeAt;
    loadMark = markOf(storeRound);
    ${exchanges ? `let isExchanged = ${form.exchanged};` : ''}
    for (var row = index; row < count; row += threads) {
      let position = positionAt(row);
      ${exchanges ? `if (isExchanged) { ${NEXT_POSITIONS}[row] = position; } else { b_position[row] = position; }` : 'b_position[row] = position;'}
    }
    ${holds ? `for (var k = index; k < ${HELD_VALUES}u && group == 0u; k += ${workgroupSize}u) { values[k] = held[k]; }` : ''}
    isWhole = missed == 0u;
  } else {
    isWhole = false;
  }
  if (!isWhole) {
    // A workgroup did not come, or its rows did not arrive: the host makes these steps without a series.
    atomicOr(&displacements[4u * (${form.record}.${last}.slot + ${form.since}) + 3u], ${STOPPED}u);
  }`;
}

const linesText = (rows: string): string =>
  `(${rows} + ${LINE_ROWS - 1}u) / ${LINE_ROWS}u * ${LINE_ROWS}u`;
