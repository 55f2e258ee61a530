/** Pixels by rows from the top left: red, green, blue and 255, a byte each. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}
