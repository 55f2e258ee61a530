import type { ExecutionContext } from '@corpuscle/patterns';

/** What benchmarks set and read inside of the GPU engine. */
export interface GpuInternals {
  readonly resident: {
    isOn: boolean;
    readonly counters: { readonly series: number; readonly steps: number };
  };
  readonly pairs: { lanes: number | null };
}

/** The inside of the GPU engine of a context. */
export function gpuInternals(ctx: ExecutionContext): GpuInternals {
  const engine = ctx.engines.accelerator as unknown as {
    readonly gpu: Pick<GpuInternals, 'resident'>;
    readonly pairs: GpuInternals['pairs'];
  };
  return { resident: engine.gpu.resident, pairs: engine.pairs };
}
