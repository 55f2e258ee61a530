import type { KernelSource } from '../device/GpuKernel.js';
import { binDoubles, binDoubleValues } from '../double/binDoubles.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { cellWgsl } from '../wgsl/frameWgsl.js';
import { binImages, binText, moveText } from './binText.js';

const LANES = 128;

/** What a kernel that bins works on. */
export interface BinVariant {
  /** Positions have low parts. */
  readonly isDouble: boolean;
  /** Particles have image flags. */
  readonly hasImages: boolean;
}

/** Finds the cell of each particle in the new frame and makes its position relative to that; counts, and chains particles of a cell. */
export const binKernel = ({ isDouble, hasImages }: BinVariant): KernelSource => ({
  label: 'sort: bin',
  about: `First step of a sort, one thread a particle.
  cell      of the particle in the new frame; its position becomes relative to it${hasImages ? '\n  image     boxes that are taken off are counted' : ''}
  count     particles of each cell and each tile of cells; those of one cell form a chain`,
  workgroupSize: LANES,
  buffers: [
    { name: 'position', type: 'array<vec4u>', access: 'read_write' },
    ...binText.buffers,
    ...(isDouble ? binDoubles.buffers : []),
    ...(hasImages ? binImages.buffers : []),
  ],
  params: {
    ...(isDouble ? binDoubles.params : {}),
    ...binText.params,
    // From the corner of the first new cell to the center of the first old one.
    toOld: 'vec4f',
    oldHighA: 'vec4f',
    oldHighB: 'vec4f',
    oldHighC: 'vec4f',
    oldLowA: 'vec4f',
    oldLowB: 'vec4f',
    oldLowC: 'vec4f',
    shift: 'vec4f',
    count: 'u32',
    same: 'u32',
  },
  declarations: `${cellWgsl}${binText.declarations}${isDouble ? binDoubles.declarations : ''}
// Cell of a particle in the new frame, from the vector to the center of its old cell.
fn cellInNew(x: vec3f, old: vec3i) -> vec3i {
  if (P.same == 1u) { return cellInFrame(x, old); }
  let o = vec3f(old);
  return cellsOf(inCells(x + P.toOld.xyz + o.x * (P.oldHighA.xyz + P.oldLowA.xyz)
    + o.y * (P.oldHighB.xyz + P.oldLowB.xyz) + o.z * (P.oldHighC.xyz + P.oldLowC.xyz)));
}`,
  body: `
  ${binText.before}
  if (index < P.count) {
    var row = position[index];
    ${binText.particle('row', 'index', {
      find: 'cellInNew(x, old)',
      move: isDouble ? binDoubles.move : moveText('old'),
      ...(hasImages && { wrap: binImages.wrap('index') }),
    })}
    position[index] = row;
  }
  ${binText.workgroup('index < P.count')}`,
});

/** A number with 12 significant bits, and what is left. */
function split(value: number): [number, number] {
  if (Math.abs(value) < 1e-30) return [0, 0]; // less than single precision can hold
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 11);
  const high = Math.round(value / unit) * unit;
  return [high, value - high];
}

type Values = Record<string, number | readonly number[]>;

const known = new WeakMap<PositionFrame, Values>();

/** What `binText` needs to know about the frame that positions shall be in; frames change seldom. */
export function binFrameValues(frame: PositionFrame): Values {
  let values = known.get(frame);
  if (!values) {
    values = valuesOf(frame);
    known.set(frame, values);
  }
  return values;
}

const AXES = [0, 1, 2] as const;
const high = ({ edges }: PositionFrame, k: number) => row(edges, k).map((v) => split(v)[0]);
const low = ({ edges }: PositionFrame, k: number) => row(edges, k).map((v) => split(v)[1]);

function row(matrix: readonly number[], k: number): number[] {
  return [matrix[3 * k]!, matrix[3 * k + 1]!, matrix[3 * k + 2]!, 0];
}

function column(matrix: readonly number[], k: number): number[] {
  return [matrix[k]!, matrix[3 + k]!, matrix[6 + k]!, 0];
}

const valuesOf = (frame: PositionFrame): Values => ({
  dims: [...frame.dims, 0],
  periodic: [...frame.domain.periodic.map(Number), 0],
  inverseX: column(frame.inverse, 0),
  inverseY: column(frame.inverse, 1),
  inverseZ: column(frame.inverse, 2),
  highA: high(frame, 0),
  highB: high(frame, 1),
  highC: high(frame, 2),
  lowA: low(frame, 0),
  lowB: low(frame, 1),
  lowC: low(frame, 2),
});

/** What the kernel needs to know about the frame that positions are in and the one that they shall be in. */
export function binParams(from: PositionFrame, to: PositionFrame): Values {
  // Positions of the corners (not centers) of both first cells: the centers' halves are counted with the cells.
  const corner = (frame: PositionFrame, k: number): number =>
    frame.center[k]! - (frame.edges[k]! + frame.edges[3 + k]! + frame.edges[6 + k]!) / 2;
  const shift = [...AXES.map((k) => corner(from, k) - corner(to, k)), 0];
  return {
    ...binDoubleValues(from, to, split, shift),
    ...binFrameValues(to),
    toOld: [...AXES.map((k) => from.center[k] - corner(to, k)), 0],
    oldHighA: high(from, 0),
    oldHighB: high(from, 1),
    oldHighC: high(from, 2),
    oldLowA: low(from, 0),
    oldLowB: low(from, 1),
    oldLowC: low(from, 2),
    shift,
    same: from === to ? 1 : 0,
  };
}
