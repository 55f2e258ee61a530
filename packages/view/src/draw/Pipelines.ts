import { blitText, resolveText, shadeText } from './imageText.js';
import { bondsText, paintText, pickText, rangeText, rowsText } from './particleText.js';
import { segmentsText, spheresText } from './rasterText.js';

const texts = {
  bonds: bondsText,
  paint: paintText,
  pick: pickText,
  range: rangeText,
  resolve: resolveText,
  rows: rowsText,
  segments: segmentsText,
  shade: shadeText,
  spheres: spheresText,
} as const;

/** A kernel that draws. */
export type KernelName = keyof typeof texts;

/** Kernels of a device, compiled when they are first used. */
export class Pipelines {
  readonly #device: GPUDevice;
  readonly #made = new Map<KernelName, GPUComputePipeline>();
  #blit: GPURenderPipeline | null = null;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  of(name: KernelName): GPUComputePipeline {
    let pipeline = this.#made.get(name);
    if (!pipeline) {
      const label = `view: ${name}`;
      const module = this.#device.createShaderModule({ label, code: texts[name] });
      const compute = { module, entryPoint: 'main' };
      pipeline = this.#device.createComputePipeline({ label, layout: 'auto', compute });
      this.#made.set(name, pipeline);
    }
    return pipeline;
  }

  /** Puts a picture on a canvas. */
  blit(format: GPUTextureFormat): GPURenderPipeline {
    if (!this.#blit) {
      const label = 'view: blit';
      const module = this.#device.createShaderModule({ label, code: blitText });
      this.#blit = this.#device.createRenderPipeline({
        label,
        layout: 'auto',
        vertex: { module, entryPoint: 'corner' },
        fragment: { module, entryPoint: 'color', targets: [{ format }] },
      });
    }
    return this.#blit;
  }
}
