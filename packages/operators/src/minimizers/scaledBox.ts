import { Domain } from '@corpuscle/core';
import type { ScalableBox } from './relaxBox.js';

/** A box as something that can be scaled. Open axes are scaled too: nothing depends on them. */
export const scaledBox = (now: () => Domain, set: (domain: Domain) => void): ScalableBox => ({
  get volume() {
    return now().volume;
  },
  scale(lengths) {
    const { matrix, origin, periodic, isOrthorhombic } = now();
    const larger = matrix.map((x) => x * lengths);
    const options = { origin, periodic };
    const diagonal = [larger[0]!, larger[4]!, larger[8]!] as const;
    const isPlain = isOrthorhombic && diagonal.every((length) => length > 0);
    set(isPlain ? Domain.orthorhombic(diagonal, options) : Domain.triclinic(larger, options));
  },
});
