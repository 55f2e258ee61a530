import { FieldBlock } from '@corpuscle/core';
import { HEADER_BYTES, type KernelSource, type KernelStage } from '../device/GpuKernel.js';
import { noteBuffers, STOPPED } from '../neighbors/displacementText.js';
import { LINE_ROWS, meetingBuffer, meetingText } from './meetingText.js';

/** The largest binding of uniforms that every device allows. */
export const MOST_UNIFORM_BYTES = 65_536;

/** Bits that say before which steps lists are built. */
export const MOST_STEPS = 256;

/** Steps of which a kernel finds parameters of so many bytes. */
export const mostRecords = (bytes: number): number =>
  Math.min(MOST_STEPS, Math.floor((MOST_UNIFORM_BYTES - HEADER_BYTES) / bytes));

/** Values of the context that a workgroup may hold. */
export const HELD_VALUES = 256;

const NEXT_POSITIONS = 'b_position_2e_next';
const STORE = new RegExp(`\\b${NEXT_POSITIONS}\\[(\\w+)\\] = row_position;`, 'g');

/** Variables without a value: inside of a loop Dawn sets them to zero once, and not in every turn. */
const UNSET = /\bvar (\w+): ([^;=]+);/g;

/** Whether a kernel may have a resident twin: it moves particles and notes how far, and leaves nothing that others combine. */
export function mayBeResident({ buffers, body }: KernelSource): boolean {
  const names = new Set(buffers.map(({ name }) => name));
  const moves = names.has(NEXT_POSITIONS) && !names.has('partials');
  return moves && noteBuffers.every(({ name }) => names.has(name)) && !/\breturn\b/.test(body);
}

/**
 * The twin of the one kernel that a step is: it takes many steps in one dispatch, with a barrier between workgroups in place of
 * the end of a dispatch.
 *
 *   share positions │ step │ meet │ step │ meet │ … │ step │ meet │ store positions
 *                     records[0]    records[1]        records[steps − 1]
 *
 * Its text is that of the kernel but for positions, which other workgroups must see: each step says its own in other rows of
 * `meeting`. Each step has the parameters that its own dispatch would have. All else that a
 * step writes belongs to one thread.
 *
 * Where one thread computes values of the context between two steps, the first of each workgroup does, on a copy of all values
 * in workgroup memory. All workgroups find the same, and one stores it in the end.
 *
 * Where lists are built in place between two steps, each workgroup builds those of its own particles.
 *
 * @param between the kernel of those values, and @param build the text of those builds; null where there are none.
 * @param bytes of the parameters of a step in the uniform buffer, and of what comes between
 */
export function residentSource(
  source: KernelSource,
  between: KernelSource | null,
  build: KernelStage | null,
  bytes: readonly [number, number],
): KernelSource {
  const written = new Set(['b_position', ...writtenBy(build)]);
  return {
    ...source,
    label: `${source.label}, many steps`,
    about: `${source.about}
Many steps in one dispatch: workgroups meet after each, and see positions in \`meeting\`.${
      build
        ? '\n  build     each workgroup builds the lists of its particles, before some steps'
        : ''
    }${between ? `\n  before    each workgroup computes values: ${between.label}` : ''}`,
    buffers: [
      ...source.buffers.map((one) =>
        written.has(one.name) ? ({ ...one, access: 'read_write' } as const) : one,
      ),
      meetingBuffer,
    ],
    records: {
      most: mostRecords(bytes[0] + bytes[1]),
      bytes,
      between,
      build,
    },
    declarations: declarationsText(source, between, build),
    body: bodyText(source, between, build),
  };
}

const writtenBy = (build: KernelStage | null): readonly string[] =>
  build?.buffers.filter(({ access }) => access === 'read_write').map(({ name }) => name) ?? [];

/** Text of the kernel that reads positions where all see them, and values where the workgroup holds them. */
function stepText(text: string, holds: boolean): string {
  const shared = text
    .replace(/\bb_position\[([^\]]+)\]/g, 'positionAt($1)')
    .replace(STORE, 'say(writeAt + $1, row_position.xyz);');
  return holds ? shared.replace(/\bvalues\[/g, 'held[') : shared;
}

/** Text of what comes between: it has parameters of its own. */
const betweenText = (text: string): string =>
  text.replace(/\bvalues\[/g, 'held[').replace(/\bP\./g, 'V.');

/** Text of a build: its parameters are the same each time, but for the record of the update, which the step before has. */
const buildText = (text: string): string =>
  text
    .replace(/\bb_position\[([^\]]+)\]/g, 'positionAt($1)')
    .replace(/\bP\.slot\b/g, 'noted')
    .replace(/\bP\./g, 'series.build.');

const declarationsText = (
  { declarations = '' }: KernelSource,
  between: KernelSource | null,
  build: KernelStage | null,
) => `
${meetingText}
// Rows before the positions that a step reads, and before those that it writes. Cells stay: only sorts change them.
var<private> readAt: u32;
var<private> writeAt: u32;
fn positionAt(row: u32) -> vec4u { return vec4u(hear(readAt + row), b_position[row].w); }
${
  between
    ? `// Values of the context as this workgroup has found them.
var<workgroup> held: array<vec2f, ${HELD_VALUES}>;
${betweenText(between.declarations ?? '')}`
    : ''
}
${stepText(declarations, between !== null)}
${build ? buildText(build.declarations) : ''}`;

function bodyText(
  { declarations = '', body, workgroupSize }: KernelSource,
  between: KernelSource | null,
  build: KernelStage | null,
): string {
  const step = stepText(body, between !== null).replace(UNSET, 'var $1 = $2();');
  const first = between
    ? `if (step > 0u) {
      V = series.records[step - 1u].between;
      {${betweenText(between.body).replace(UNSET, 'var $1 = $2();')}
      }
      workgroupBarrier();
    }`
    : '';
  const built = build
    ? `if ((series.builds[step >> 7u][(step >> 5u) & 3u] & (1u << (step & 31u))) != 0u) {
      {${buildText(build.body).replace(UNSET, 'var $1 = $2();')}
      }
      storageBarrier();
    }`
    : '';
  const counters = [...declarations.matchAll(/var<workgroup> (\w+): atomic<u32>;/g)];
  const reset = counters.map(([, name]) => `atomicStore(&${name}, 0u);`).join(' ');
  return `
  P = series.records[0].own;
  let count = P.end;
  let filled = count + ${FieldBlock.PADDING}u;
  let rows = (filled + ${LINE_ROWS - 1}u) / ${LINE_ROWS}u * ${LINE_ROWS}u;
  let threads = groups3.x * ${workgroupSize}u;
  ${between ? `for (var k = lane; k < ${HELD_VALUES}u; k += ${workgroupSize}u) { held[k] = values[k]; }` : ''}
  said = series.met + groups3.x;
  for (var row = index; row < filled; row += threads) { say(row, b_position[row].xyz); }
  var isWhole = meetAll(lane, said);
  let steps = series.steps;
  for (var step = 0u; step < steps && isWhole; step++) {
    ${first}
    ${build ? 'let noted = P.slot;' : ''}
    P = series.records[step].own;
    readAt = writeAt;
    writeAt += rows;
    heard = said;
    said += groups3.x;
    ${built}
    {${step}
    }
    // Lists point to dummy rows too, which never move.
    if (index < ${FieldBlock.PADDING}u) { say(writeAt + count + index, b_position[count + index].xyz); }
    if (lane == 0u) { ${reset} }
    isWhole = meetAll(lane, said);
  }
  if (isWhole && !hasFailed()) {
    readAt = writeAt;
    heard = said;
    let isOdd = (steps & 1u) == 1u;
    for (var row = index; row < count; row += threads) {
      let position = positionAt(row);
      if (isOdd) { ${NEXT_POSITIONS}[row] = position; } else { b_position[row] = position; }
    }
    ${between ? `for (var k = index; k < ${HELD_VALUES}u && group == 0u; k += ${workgroupSize}u) { values[k] = held[k]; }` : ''}
    isWhole = missed == 0u;
  } else {
    isWhole = false;
  }
  if (!isWhole) {
    // A workgroup did not come, or was not heard: the host takes these steps another way.
    atomicOr(&displacements[4u * P.slot + 3u], ${STOPPED}u);
  }`;
}
