import { i32 } from '@corpuscle/functor/wasm';
import { BUFFER_LENGTH } from '../outputBlocks.js';
import { computeStage } from './computeStage.js';
import { measureStage } from './measureStage.js';
import type { Run, RunSetting } from './RunSetting.js';
import { StageScratch } from './StageScratch.js';
import { scatterStage } from './scatterStage.js';

/**
 * Emits a run in three short loops, each of which leaves vectors in scratch memory for the next:
 *
 *   1 measure   gather r_j  ──►  d, r2 (√r2)         2 compute   the functor under r2 < rcut²  ──►  factors, sums
 *   3 scatter   half lists: neighbors −= or += contributions
 *
 * In one loop, the chain from gathering to scattering is so long that a processor sees hardly two vectors of it at a time;
 * in short loops it works on many. Factors of central forces are multiplied by d when they are scattered.
 *
 * @returns whether sums of the force are in `rowSums`.
 */
export function stagedRun(setting: RunSetting, run: Run): boolean {
  const { f, plan, measure } = setting;
  const { p, end } = run;
  const { lanes } = measure;
  const perQuad = 4 / lanes.count;
  const scratch = new StageScratch(f, setting.scratch, plan);
  const begin = f.called(f.local('i32'), 'partBegin');
  const stop = f.called(f.local('i32'), 'partEnd');
  let rowsUsed = false;

  const compute = f.collect(() => {
    f.comment('compute: the functor');
    const central = computeStage(setting, { ...run, begin }, scratch);
    if (setting.scatters) {
      const loop = f.collect(() => {
        rowsUsed = scatterStage(setting, scratch, p, central);
      });
      f.comment('scatter: neighbors receive their share');
      f.set(p, f.get(begin));
      scratch.rewind();
      f.loop((again) => {
        f.emit(...loop);
        f.increment(p, 16);
        scratch.advance(perQuad);
        f.brIf(again, i32.lt_u(f.get(p), f.get(stop)));
      });
    }
    f.set(p, f.get(stop));
  });

  f.while(i32.lt_u(f.get(p), end), () => {
    f.set(begin, f.get(p));
    f.set(stop, i32.add(f.get(p), i32.const(4 * BUFFER_LENGTH)));
    f.if(i32.gt_u(f.get(stop), end), () => f.set(stop, end));
    f.comment('measure: displacements of a part of the run');
    scratch.rewind();
    f.loop((again) => {
      measureStage(setting, run, scratch);
      scratch.advance(perQuad);
      f.increment(p, 16);
      f.brIf(again, i32.lt_u(f.get(p), f.get(stop)));
    });
    f.emit(...compute);
  });
  return rowsUsed;
}
