import { type FunctionBuilder, i32, type Label, type WasmNode } from '@corpuscle/functor/wasm';
import { at4 } from './integers.js';
import { kernelOf, type RecordSlots } from './kernelOf.js';
import { fillStencil } from './search/fillStencil.js';
import { type SearchSetting, searchSetting, searchThread } from './search/SearchSetting.js';
import { testCell } from './search/testCell.js';

/**
 * Searches the neighbors of the particles in cells begin … end−1 and appends them to the thread's list segment.
 *
 * For each cell, the particles of its stencil are copied to a contiguous buffer, one segment per periodic image with
 * the shift applied (`fillStencil`); then each particle of the cell is tested against four buffered ones at a time, and
 * the row numbers that pass the mask are moved to the front by a swizzle and stored (`testCell`).
 */
const searchKernel = (half: boolean) => (f: FunctionBuilder, slots: RecordSlots) => {
  const setting = searchSetting(f, slots, half);
  const { thread, ne, nj, borderCount } = setting;
  f.block((exit) => {
    f.brIf(exit, i32.load(thread, searchThread.overflow));
    f.range(f.param(1), f.param(2), (cell) => searchCell(setting, cell, exit), 1, 'cell');
  });
  f.emit(i32.store(thread, f.get(ne), searchThread.entryCount));
  f.emit(i32.store(thread, f.get(nj), searchThread.indexCount));
  if (half) f.emit(i32.store(thread, f.get(borderCount), searchThread.borderCount));
};

function searchCell(setting: SearchSetting, cell: WasmNode, exit: Label): void {
  const { f, a, buffer, startOf } = setting;
  f.block((nextCell) => {
    const q0 = f.named('firstOfCell', startOf(cell));
    const q1 = f.named('endOfCell', startOf(cell, 4));
    f.brIf(nextCell, i32.eq(q0, q1));
    const place = f.named('placeOfLine', i32.div_u(cell, a.nx));
    const cx = i32.sub(cell, i32.mul(place, a.nx));
    const yz = f.named('line', i32.load(at4(a.line, place)));
    const cz = f.named('cellZ', i32.div_u(yz, a.ny));
    const cy = i32.sub(yz, i32.mul(cz, a.ny));
    const center = [f.named('cellX', cx), f.named('cellY', cy), cz] as const;
    const segment = f.called(f.variable(buffer), 'segment');
    const nc = f.called(f.variable(i32.const(0)), 'candidates');
    fillStencil(setting, { center, place, segment, nc, exit });
    testCell(setting, q0, q1, f.get(segment), exit);
  });
}

const about = (
  list: string,
) => `Neighbor search: appends the ${list} lists of the particles in cells begin … end − 1.
  fill      the particles of a cell's stencil go to a buffer, one segment a periodic image
  test      each particle of the cell meets four of them at a time
  store     row numbers within the radius are moved to the front and stored`;

export const halfSearchKernel = kernelOf(
  'neighbors.search.half',
  about('half'),
  searchKernel(true),
);
export const fullSearchKernel = kernelOf(
  'neighbors.search.full',
  about('full'),
  searchKernel(false),
);
