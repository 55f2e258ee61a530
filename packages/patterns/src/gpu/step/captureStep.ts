import type { CapturedDispatch } from '../device/DispatchCapture.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import type { Fusion } from './Fusion.js';
import type { PreparedGroup } from './PreparedGroup.js';

/** Dispatches of steps that follow each other: up to the update of the lists, from there to the next update, and from the last to the end. */
export interface CapturedStep {
  readonly head: readonly CapturedDispatch[];
  readonly between: readonly CapturedDispatch[];
  readonly tail: readonly CapturedDispatch[];
}

/**
 * What a fused step is to the device, captured and not recorded; it counts as made.
 * @param displacements where those are noted. @param isLong whether more than one step follow each other
 */
export function captureStep(
  gpu: GpuDevice,
  { boundary, head, rest }: Fusion,
  displacements: DisplacementTarget,
  isLong: boolean,
): CapturedStep {
  gpu.stream.recordDeferred();
  const dispatches = (groups: readonly PreparedGroup[]): readonly CapturedDispatch[] =>
    gpu.stream.capture.during(() => {
      for (const ready of groups) {
        gpu.enter(ready);
        ready.record(ready.group.lists ? displacements : null);
        ready.fused?.record();
      }
    });
  return {
    head: dispatches(head),
    between: isLong ? dispatches([...rest, ...(boundary?.groups ?? head)]) : [],
    tail: dispatches([...rest, ...(boundary?.tail ?? [])]),
  };
}
