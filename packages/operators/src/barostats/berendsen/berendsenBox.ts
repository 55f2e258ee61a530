import { valueFunctor } from '@corpuscle/patterns';
import { clockHelpers } from '../../thermostats/clock.js';
import { controlValues } from '../BoxControl.js';
import { growthHelpers } from '../growth.js';
import { rampSteps } from '../ramp.js';

const params = {
  volume: 'real',
  part: 'real',
  by: 'real',
  ...rampSteps,
  px0: 'real',
  py0: 'real',
  pz0: 'real',
  px1: 'real',
  py1: 'real',
  pz1: 'real',
  xx: 'real',
  yy: 'real',
  zz: 'real',
  xy: 'real',
  xz: 'real',
  yz: 'real',
} as const;

/**
 * Weak coupling to a pressure: a length grows by the cube root of 1 − part (P0 − P), where `part` is β dt / τ. Shares `xx` … tell
 * how much each length follows the pressure along each axis, `px0` and `px1` …
 * are those of the bath at both ends of a ramp, and `by` the steps from one change to the next.
 */
export const berendsenBox = valueFunctor(
  {
    name: 'berendsen_box',
    values: controlValues,
    params,
    helpers: { ...growthHelpers, ...clockHelpers },
  },
  (v, p, h) => {
    const [low, high] = h.tick(v.low, v.high, p.by);
    v.low = low;
    v.high = high;
    const px = h.ramp(low, high, p.px0, p.px1, p.firstLow, p.firstHigh, p.steps);
    const py = h.ramp(low, high, p.py0, p.py1, p.firstLow, p.firstHigh, p.steps);
    const pz = h.ramp(low, high, p.pz0, p.pz1, p.firstLow, p.firstHigh, p.steps);
    const volume = p.volume * (1 + v.ex) * (1 + v.ey) * (1 + v.ez);
    const x = (v.kxx + v.vxx) / volume;
    const y = (v.kyy + v.vyy) / volume;
    const z = (v.kzz + v.vzz) / volume;
    const dx = h.rootOf(p.part * (p.xx * (x - px) + p.xy * (y - py) + p.xz * (z - pz)));
    const dy = h.rootOf(p.part * (p.xy * (x - px) + p.yy * (y - py) + p.yz * (z - pz)));
    const dz = h.rootOf(p.part * (p.xz * (x - px) + p.yz * (y - py) + p.zz * (z - pz)));
    const least = Math.min(dx, Math.min(dy, dz));
    const most = Math.max(dx, Math.max(dy, dz));
    const isSound = least > -0.2 && most < 0.25;
    if (!isSound) v.wrong = 1.0;
    v.dx = isSound ? dx : 0.0;
    v.dy = isSound ? dy : 0.0;
    v.dz = isSound ? dz : 0.0;
    v.scale = 1;
  },
);
