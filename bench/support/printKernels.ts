import type { DeviceProfile } from '@corpuscle/patterns';

/** Prints what each kernel took by time stamps, which themselves add some 7 µs to each. */
export function printKernels({ kernels, repeats }: DeviceProfile, steps: number): void {
  console.log(`    ${repeats} windows repeated; the time stamps add some 7 µs to each kernel`);
  for (const { label, dispatches, milliseconds } of kernels)
    console.log(
      `    ${label.padEnd(48)} ${(milliseconds / steps).toFixed(5)} ms a step, ${(milliseconds / dispatches).toFixed(5)} ms each, ${dispatches} times in ${steps} steps`,
    );
}
