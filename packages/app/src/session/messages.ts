import type { JsonSchema } from '@corpuscle/core';
import type { Phase } from './Session.js';

/** What the editor holds. */
export interface Texts {
  /** The simulation in YAML. */
  readonly simulation: string;
  /** Pair potentials in JavaScript; may be empty. */
  readonly potential: string;
}

/** A mistake in the text of the editor. Lines and columns count from 1; 0: nowhere in it. */
export interface Mistake {
  /** The text that it is in. */
  readonly text: keyof Texts;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** Characters that it is about. */
  readonly length: number;
  readonly severity: 'error' | 'warning';
}

/** A table among the output files. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Numbers by columns. */
  readonly data: readonly (readonly number[])[];
}

/** What colors mean. */
export interface ColorScale {
  /** The number of a particle. */
  readonly name: string;
  readonly least: number;
  readonly greatest: number;
  /** From the least to the greatest, at equal distances, as CSS. */
  readonly colors: readonly string[];
}

/** What the particles look like, as far as the page lets one choose. */
export interface Appearance {
  /** `type`, a field, or `formula`. */
  readonly color: string;
  /** A field or a formula of fields, for the color `formula`. */
  readonly formula: string;
  readonly map: string;
  readonly background: readonly [number, number, number];
  /** Keeps particles of a slice across an axis: from and to are parts of what is drawn. */
  readonly slice: { readonly axis: 0 | 1 | 2; readonly from: number; readonly to: number } | null;
  /** Boxes along a, b and c. */
  readonly images: readonly [number, number, number];
  /** Without perspective. */
  readonly isOrthographic: boolean;
  /** Times the usual radius. */
  readonly size: number;
  readonly box: boolean;
  readonly bonds: boolean;
}

/** What particles look like at first. */
export const usualAppearance: Appearance = {
  ...{ color: 'type', formula: '', map: 'viridis', background: [1, 1, 1] },
  ...{ slice: null, images: [1, 1, 1], isOrthographic: false, size: 1, box: true, bonds: true },
};

/** How a hand moves the camera: angles in radians, or parts of the height of the picture. */
export type Motion =
  | { readonly kind: 'orbit' | 'move'; readonly right: number; readonly upward: number }
  | { readonly kind: 'zoom'; readonly factor: number }
  | { readonly kind: 'whole' };

/** Pixels of a picture or a movie. */
export interface RecordedSize {
  readonly width: number;
  readonly height: number;
}

/** What the page asks of the engine, which is in a worker. */
export type Request =
  | { readonly kind: 'canvas'; readonly canvas: OffscreenCanvas }
  | { readonly kind: 'size'; readonly width: number; readonly height: number }
  | { readonly kind: 'check'; readonly texts: Texts; readonly id: number }
  | { readonly kind: 'preview'; readonly texts: Texts }
  | { readonly kind: 'run'; readonly texts: Texts; readonly held: boolean }
  | { readonly kind: 'retune'; readonly texts: Texts }
  | { readonly kind: 'open'; readonly name: string; readonly bytes: Uint8Array }
  | { readonly kind: 'keep'; readonly name: string; readonly bytes: Uint8Array }
  | { readonly kind: 'seek'; readonly frame: number }
  /** A frame of a run elsewhere (`readQuantized`); `drawn elsewhere` answers. */
  | { readonly kind: 'particles'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'pause' | 'stop' }
  | { readonly kind: 'resume'; readonly steps?: number }
  | { readonly kind: 'speed'; readonly stepsPerSecond: number }
  | { readonly kind: 'camera'; readonly motion: Motion }
  | { readonly kind: 'look'; readonly look: Appearance }
  | ({ readonly kind: 'picture' } & RecordedSize)
  /** Begins a movie: of all frames of a trajectory, or of a run from now on, with so many steps a picture. */
  | ({ readonly kind: 'movie'; readonly every: number } & RecordedSize)
  | { readonly kind: 'movie end' }
  | { readonly kind: 'pick'; readonly x: number; readonly y: number }
  | { readonly kind: 'file'; readonly name: string };

/** What the engine tells the page. */
export type Report =
  | { readonly kind: 'ready'; readonly schema: JsonSchema }
  | { readonly kind: 'phase'; readonly phase: Phase; readonly mistakes?: readonly Mistake[] }
  | { readonly kind: 'device'; readonly text: string }
  /** A picture: how many there have been, the step that it shows, and when it was there in milliseconds from 1970. */
  | {
      readonly kind: 'drawn';
      readonly pictures: number;
      readonly step: number;
      readonly at: number;
    }
  | { readonly kind: 'checked'; readonly id: number; readonly mistakes: readonly Mistake[] }
  | {
      readonly kind: 'progress';
      readonly step: number;
      readonly time: number;
      readonly endStep: number | null;
      readonly stepsPerSecond: number;
      readonly particles: number;
    }
  | {
      readonly kind: 'tables';
      readonly tables: readonly Table[];
      readonly files: readonly string[];
    }
  | { readonly kind: 'trajectory'; readonly name: string; readonly frames: number }
  | {
      readonly kind: 'frame';
      readonly frame: number;
      readonly particles: number;
      readonly text: string;
    }
  | { readonly kind: 'drawn elsewhere' }
  | { readonly kind: 'picked'; readonly text: string | null }
  | { readonly kind: 'file'; readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** What the colors mean; null for those of types. */
  | { readonly kind: 'legend'; readonly scale: ColorScale | null }
  | { readonly kind: 'recording'; readonly isRecording: boolean }
  | { readonly kind: 'notice'; readonly text: string }
  /** The thread of the engine is free. */
  | { readonly kind: 'beat' }
  /** It has worked on one piece for long; it is free again; another has taken its place. */
  | { readonly kind: 'silent' | 'awake' | 'renewed' };
