/** Scatter beyond which nothing can be asked, and what sin, exp and their like may be off besides; relative. */
export const tolerance = {
  f32: { most: 1e-3, least: 2e-5 },
  f64: { most: 1e-9, least: 2e-12 },
} as const;

/**
 * What a device may give: the range of perturbed runs, widened; null where they scatter too much to tell.
 * @param options.largestInt integers from there on are not compared, for devices that hold them as floats.
 */
export function allowedRange(
  values: readonly number[],
  isInt: boolean,
  { most, least }: { readonly most: number; readonly least: number },
  { largestInt = Number.POSITIVE_INFINITY }: { readonly largestInt?: number } = {},
): [number, number] | null {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const scale = Math.max(Math.abs(low), Math.abs(high), 1e-3);
  const spread = high - low;
  if (!Number.isFinite(spread) || scale > 1e30) return null;
  if (isInt) return spread === 0 && scale < largestInt ? [low, high] : null;
  if (spread > most * scale) return null;
  const width = 4 * spread + least * scale; // perturbations are several roundings already
  return [low - width, high + width];
}
