import type { GpuBackend } from '../../src/context/loadGpuEngine.js';
import { completed, settable } from '../../src/pattern/handles.js';
import type {
  CellCall,
  NeighbourCall,
  PairCall,
  ReduceCall,
} from '../../src/pattern/PatternEngine.js';

export type DeviceCall = CellCall | PairCall | ReduceCall | NeighbourCall;

const refuse = (): never => {
  throw new Error('this device only records');
};

/** A device that does nothing but note the calls that reach it. */
export class RecordingDevice implements GpuBackend {
  readonly name = 'webgpu';
  readonly precisions = ['f32'] as const;
  readonly precisionReason = '';
  readonly description = 'a recorder';
  operator = '';
  readonly counters = {} as GpuBackend['counters'];
  readonly idle = true;
  readonly calls: DeviceCall[] = [];

  computeCellParticles(call: CellCall) {
    this.calls.push(call);
    return completed();
  }
  computeCellParticlePairs(call: PairCall) {
    this.calls.push(call);
    return completed({});
  }
  reduceCellParticles(call: ReduceCall) {
    this.calls.push(call);
    return completed({});
  }
  updateNeighbours(call: NeighbourCall) {
    this.calls.push(call);
    const handle = settable<never>();
    handle.resolve({} as never);
    return handle;
  }
  blockParallelFor = refuse;
  reduceRecords = refuse;
  startProfile = refuse;
  profile = refuse;
  async started() {}
  async fetchCells() {}
  async finished() {}
  async newestOnHost() {}
  async close() {}
}
