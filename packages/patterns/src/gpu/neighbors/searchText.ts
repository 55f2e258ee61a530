import type { KernelBuffer, ParamType } from '../device/GpuKernel.js';
import { frameParams } from '../wgsl/frameWgsl.js';
import type { Candidates } from './candidates.js';

/** Room for rounding where cells are compared with the radius; frames leave more than that. */
const MARGIN = 1e-4;
export const SLACK = 1 + MARGIN;

/** Lists reach this much farther than asked for, because positions are rounded. */
export const ROUNDING = 1 + 1e-6;

/** Particles that go the same way in pair kernels, where one flag says whether there are images. */
export const WAVE = 32;

/** What a search reads and writes. @param entry how entries are stored: four together, or each */
export const searchBuffers = (entry: 'vec4u' | 'u32'): KernelBuffer[] => [
  { name: 'position', type: 'array<vec4u>', access: 'read' },
  { name: 'start', type: 'array<u32>', access: 'read' },
  { name: 'counts', type: 'array<u32>', access: 'read_write' },
  { name: 'entries', type: `array<${entry}>`, access: 'read_write' },
  { name: 'most', type: 'array<atomic<u32>>', access: 'read_write' },
  { name: 'reference', type: 'array<vec4u>', access: 'read_write' },
];

/** What a search is told. */
export const searchParams = (candidates: Candidates): Readonly<Record<string, ParamType>> => ({
  ...frameParams,
  periodic: 'vec4i',
  reach: 'vec4i',
  radius2: 'f32',
  first: 'u32',
  end: 'u32',
  count: 'u32',
  capacity: 'u32',
  columns: 'u32',
  ...candidates.params,
  stride: 'u32',
  at: 'u32',
});

/** @param isFar whether cells may be several boxes off */
export const cellDeclarations = (isFar: boolean): string => `
// A cell number wrapped into the box, and the boxes it was off.
struct Wrapped { cell: i32, box: i32, valid: bool }
fn wrapped(cell: i32, dims: i32, periodic: i32) -> Wrapped {
  let box = ${isFar ? BOX_OF('cell', 'dims') : 'select(0, -1, cell < 0) + select(0, 1, cell >= dims)'};
  let inside = cell - box * dims;
  return Wrapped(inside, box, inside >= 0 && inside < dims && (box == 0 || periodic != 0));
}
// Least distance along one axis between x and a cell o cells away.
fn gap(x: f32, o: i32, edge: f32) -> f32 {
  return max(abs(x - f32(o) * edge) - ${0.5 + MARGIN} * edge, 0.0);
}`;

/** The quotient rounded down, for any sign. */
const BOX_OF = (cell: string, dims: string): string =>
  `(select(${cell}, ${cell} - ${dims} + 1, ${cell} < 0) / ${dims})`;

/** Boxes that a row of cells from `low` to `high` goes through. */
export const boxesText = (isFar: boolean): string =>
  isFar
    ? `let lastBox = select(0, ${BOX_OF('high', 'P.dims.x')}, P.periodic.x != 0);
        for (var box = select(0, ${BOX_OF('low', 'P.dims.x')}, P.periodic.x != 0); box <= lastBox; box++) {`
    : `let lastBox = select(0, 1, high >= P.dims.x && P.periodic.x != 0);
        for (var box = select(0, -1, low < 0 && P.periodic.x != 0); box < 2; box++) {
          if (box > lastBox) { break; }`;

/** For trimmed kernels: what is made once for a particle. */
export const TRIM_OWN = `let inverse = 1.0 / P.edgeA.x;
    let middle = xi.x * inverse + 0.5;`;

/** For these too: leaves out rows of cells that the sphere does not touch, and the ends of a row that it does not reach. */
export const TRIM = `
        // Cells of the row that the sphere reaches.
        let gy = gap(xi.y, oy, P.edgeB.y);
        let gz = gap(xi.z, oz, P.edgeC.z);
        let rest = P.radius2 - gy * gy - gz * gz;
        if (rest <= 0.0) { continue; }
        let span = sqrt(rest) * inverse + ${MARGIN};
        low = max(low, cell.x + i32(floor(middle - span)));
        high = min(high, cell.x + i32(floor(middle + span)));`;
