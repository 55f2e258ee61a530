import type { NearestImages } from '@corpuscle/core';
import { MOST_SHRUNK, type SeenStrain } from '../box/DeviceStrain.js';

/**
 * Nearest images of a box whose strain is in values of the device: coordinates that wrap around are those of the reference. Where
 * the box stretches along axes that it lies along, so are its nearest images. Otherwise they are found by shifts of strained
 * vectors: strains are so bounded (`beyondBand`) that rounding errs by one at most, and that a distance is as long as it is in the
 * reference, less what lists may allow for.
 */
export function strainedImages(
  images: NearestImages,
  strain: SeenStrain | undefined,
): NearestImages {
  if (!strain || images.kind === 'open') return images;
  const shrunk2 = MOST_SHRUNK ** 2;
  if (images.kind === 'triclinic') {
    const { inner2, rounded2 } = images;
    return { ...images, inner2: inner2 * shrunk2, rounded2: rounded2 * shrunk2 };
  }
  const edges2 = images.basis.filter((edge) => edge !== 0).map((edge) => (edge / 2) ** 2);
  const inner2 = shrunk2 * Math.min(...edges2);
  return strain.isSheared ? { ...images, kind: 'triclinic', inner2, rounded2: inner2 } : images;
}
