import type { Engine } from '../../engine/Engine.js';
import { openDevice } from '../device/openDevice.js';
import type { GpuEngine } from '../GpuEngine.js';
import { ReplicaGroup } from './ReplicaGroup.js';

/** One device for several simulations, which take their steps together. */
export interface SharedDevice {
  readonly device: GPUDevice;
  readonly group: ReplicaGroup;
  /** Lets the engine of a context take part. */
  join(engine: Engine): Engine;
  close(): Promise<void>;
}

/** Opens a device for so many simulations; or says why there is none. */
export async function openSharedDevice(
  count: number,
): Promise<SharedDevice | { readonly unavailable: string }> {
  const opened = await openDevice();
  if (!opened.gpu) return { unavailable: opened.reason };
  const { gpu } = opened;
  const group = new ReplicaGroup(gpu, count);
  return {
    device: gpu.device,
    group,
    join(engine) {
      const { runner } = engine as GpuEngine;
      runner.gpu.resident.replicas = count;
      runner.gpu.resident.isOn = !gpu.info.software;
      runner.neighbors.reach.farther = 1;
      runner.replica = group.join(runner);
      return engine;
    },
    async close() {
      group.free();
      await gpu.close();
    },
  };
}
