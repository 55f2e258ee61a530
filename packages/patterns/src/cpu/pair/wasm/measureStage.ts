import { i32, interleaved, type WasmNode } from '@corpuscle/functor/wasm';
import { distances } from './distances.js';
import { neighborRows, type Run, type RunSetting } from './RunSetting.js';
import type { StageScratch } from './StageScratch.js';

/** Emits the measuring of four neighbors: what later stages have asked the scratch memory for. */
export function measureStage(
  setting: RunSetting,
  run: Pick<Run, 'p' | 'center'>,
  scratch: StageScratch,
): void {
  const { f, measure } = setting;
  const vectors = Array.from({ length: 4 / measure.lanes.count }, (_, k) =>
    f.collect(() => measureVector(setting, run, scratch, k)),
  );
  f.emit(...interleaved(vectors));
}

function measureVector(
  setting: RunSetting,
  run: Pick<Run, 'p' | 'center'>,
  scratch: StageScratch,
  k: number,
): void {
  const { f, measure, positions } = setting;
  const { lanes } = measure;
  const addresses = neighborRows(setting, run.p, k).map((row) =>
    f.keep(i32.add(positions, i32.shl(row, i32.const(lanes.rowShift)))),
  );
  const { d, r2, rows } = distances(f, measure, addresses, run.center);
  const found: Record<string, () => WasmNode> = {
    x: () => d[0],
    y: () => d[1],
    z: () => d[2],
    r2: () => r2,
    root: () => lanes.v.sqrt(r2),
  };
  rows.forEach((row, lane) => {
    found[`row${lane}`] = () => row;
  });
  for (const [name, value] of Object.entries(found)) {
    if (scratch.names.has(name)) scratch.store(name, k, value());
  }
}
