/** Options of `render`, as commander gives them. */
export interface RenderOptions {
  readonly frame?: string;
  readonly out: string;
  readonly movie?: string;
  readonly fps: number;
  readonly from?: string;
  readonly size: string;
  readonly samples: number;
  readonly color: string;
  readonly map?: string;
  readonly range?: string;
  readonly legend: boolean;
  readonly radius?: string;
  readonly direction?: string;
  readonly angle: number;
  readonly zoom: number;
  readonly slice: readonly string[];
  readonly images: string;
  readonly box: boolean;
  readonly bonds: boolean;
  readonly background: string;
  readonly occlusion: number;
  readonly overwrite: boolean;
}
