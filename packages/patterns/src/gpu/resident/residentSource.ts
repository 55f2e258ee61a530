import { FieldBlock } from '@corpuscle/core';
import type { KernelSource } from '../device/GpuKernel.js';
import { noteBuffers, STOPPED } from '../neighbors/displacementText.js';
import { meetingBuffer, meetingText } from './meetingText.js';

/** Bytes before the first record: how many there are, and how often workgroups have met before. */
export const HEADER_BYTES = 256;
/** The largest binding of uniforms that every device allows. */
export const MOST_UNIFORM_BYTES = 65_536;

/** Steps of which a kernel finds parameters of so many bytes. */
export const mostRecords = (bytes: number): number =>
  Math.floor((MOST_UNIFORM_BYTES - HEADER_BYTES) / bytes);

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
 * Its text is that of the kernel but for positions, which other workgroups must see. They lie in `sharedRows` twice, as atomics:
 * a step reads one half and writes the other. Each step has the parameters that its own dispatch would have. All else that a
 * step writes belongs to one thread.
 *
 * @param bytes of the parameters of a step in the uniform buffer
 */
export function residentSource(source: KernelSource, bytes: number): KernelSource {
  const { declarations = '', body, buffers } = source;
  const isShared = (text: string) => text.replace(/\bb_position\[([^\]]+)\]/g, 'positionAt($1)');
  const step = isShared(body)
    .replace(STORE, 'storePosition($1, row_position);')
    .replace(UNSET, 'var $1 = $2();');
  const counters = [...declarations.matchAll(/var<workgroup> (\w+): atomic<u32>;/g)];
  const reset = counters.map(([, name]) => `atomicStore(&${name}, 0u);`).join(' ');
  return {
    ...source,
    label: `${source.label}, many steps`,
    about: `${source.about}
Many steps in one dispatch: workgroups meet after each, and see positions in \`sharedRows\`.`,
    buffers: [
      ...buffers.map((one) =>
        one.name === 'b_position' ? ({ ...one, access: 'read_write' } as const) : one,
      ),
      {
        name: 'sharedRows',
        type: 'array<atomic<u32>>',
        access: 'read_write',
        holds: 'positions before and after a step, in turn',
      },
      meetingBuffer,
    ],
    records: { most: mostRecords(bytes), bytes },
    declarations: `${meetingText}
// Words before the positions that a step reads, and before those that it writes.
var<private> readAt: u32;
var<private> writeAt: u32;
fn positionAt(row: u32) -> vec4u {
  let at = readAt + 4u * row;
  return vec4u(atomicLoad(&sharedRows[at]), atomicLoad(&sharedRows[at + 1u]), atomicLoad(&sharedRows[at + 2u]), atomicLoad(&sharedRows[at + 3u]));
}
fn storePosition(row: u32, position: vec4u) {
  let at = writeAt + 4u * row;
  atomicStore(&sharedRows[at], position.x);
  atomicStore(&sharedRows[at + 1u], position.y);
  atomicStore(&sharedRows[at + 2u], position.z);
  atomicStore(&sharedRows[at + 3u], position.w);
  // Read back, they have arrived.
  if (atomicLoad(&sharedRows[at + 3u]) != position.w) { atomicStore(&meeting[1], 1u); }
}
${isShared(declarations)}`,
    body: `
  P = stretch.records[0];
  let count = P.end;
  let rows = count + ${FieldBlock.PADDING}u;
  let threads = groups3.x * ${source.workgroupSize}u;
  // Lists point to dummy rows too, which never move.
  writeAt = 4u * rows;
  for (var row = index + count; row < rows; row += threads) { storePosition(row, b_position[row]); }
  writeAt = 0u;
  for (var row = index; row < rows; row += threads) { storePosition(row, b_position[row]); }
  var after = stretch.met + groups3.x;
  var isWhole = meetAll(lane, after);
  let steps = stretch.steps;
  for (var step = 0u; step < steps && isWhole; step++) {
    P = stretch.records[step];
    readAt = writeAt;
    writeAt = 4u * rows - readAt;
    {${step}
    }
    if (lane == 0u) { ${reset} }
    after += groups3.x;
    isWhole = meetAll(lane, after);
  }
  if (isWhole) {
    readAt = writeAt;
    let isOdd = (steps & 1u) == 1u;
    for (var row = index; row < count; row += threads) {
      let position = positionAt(row);
      if (isOdd) { ${NEXT_POSITIONS}[row] = position; } else { b_position[row] = position; }
    }
  } else if (lane == 0u) {
    // A workgroup did not come: the host takes these steps another way.
    atomicOr(&displacements[4u * P.slot + 3u], ${STOPPED}u);
  }`,
  };
}
