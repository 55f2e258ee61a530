/** Exponents of the base dimensions; absent means 0. Energy is length² mass time⁻², force length mass time⁻². */
export interface Dimension {
  readonly length?: number;
  readonly mass?: number;
  readonly time?: number;
  readonly temperature?: number;
  readonly charge?: number;
}
