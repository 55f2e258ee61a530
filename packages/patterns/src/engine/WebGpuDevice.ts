/** A `GPUDevice`, where the program has the types of WebGPU, which these declarations do not need. */
export type WebGpuDevice = typeof globalThis extends {
  readonly GPUDevice: { readonly prototype: infer D };
}
  ? D
  : { readonly limits: object; readonly features: object; readonly queue: object };

/** A `GPUBuffer`, in the same way. */
export type WebGpuBuffer = WebGpuDevice extends { createBuffer(d: never): infer B } ? B : object;
