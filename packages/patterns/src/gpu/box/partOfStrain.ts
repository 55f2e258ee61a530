import { valueFunctor } from '@corpuscle/functor';
import { strainReals } from '../../box/strainedBox.js';

const reals = <const N extends string>(...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, 'real'])) as { readonly [K in N]: 'real' };

/**
 * Writes the lengths and tilts of a box that the host prescribes (`isXx` …) into its strain, where values decide the rest: those
 * stay as they are. Parameters are those of `partParams`.
 */
export const prescribePart = valueFunctor(
  {
    name: 'prescribe_part',
    values: { ...strainReals, ...reals('ex', 'ey', 'ez', 'tyx', 'tzx', 'tzy') },
    params: {
      ...strainReals,
      ...reals('isXx', 'isYy', 'isZz', 'isYx', 'isZx', 'isZy', 'ex', 'ey', 'ez'),
      ...reals('ax', 'ay', 'az', 'lyx', 'lzx', 'lzy', 'myx', 'mzx', 'mzy'),
    },
  },
  (v, p) => {
    const xx = p.isXx > 0 ? p.xx : v.xx;
    const yy = p.isYy > 0 ? p.yy : v.yy;
    const zz = p.isZz > 0 ? p.zz : v.zz;
    // A tilt that stays keeps its length, not its strain.
    const yx = p.isYx > 0 ? p.yx - p.lyx * xx : v.yx - p.lyx * (xx - v.xx);
    const zy = p.isZy > 0 ? p.zy - p.lzy * yy : v.zy - p.lzy * (yy - v.yy);
    const zx =
      p.isZx > 0
        ? p.zx - (p.lzx * xx + p.lzy * yx)
        : v.zx - (p.lzx * (xx - v.xx) + p.lzy * (yx - v.yx));
    // So does an origin.
    v.x =
      p.isXx > 0
        ? p.x - (p.ax * xx + p.ay * yx + p.az * zx)
        : v.x - (p.ax * (xx - v.xx) + p.ay * (yx - v.yx) + p.az * (zx - v.zx));
    v.y =
      p.isYy > 0 ? p.y - (p.ay * yy + p.az * zy) : v.y - (p.ay * (yy - v.yy) + p.az * (zy - v.zy));
    v.z = p.isZz > 0 ? p.z - p.az * zz : v.z - p.az * (zz - v.zz);
    v.xx = xx;
    v.yy = yy;
    v.zz = zz;
    v.yx = yx;
    v.zx = zx;
    v.zy = zy;
    v.ex = p.isXx > 0 ? p.ex : v.ex;
    v.ey = p.isYy > 0 ? p.ey : v.ey;
    v.ez = p.isZz > 0 ? p.ez : v.ez;
    v.tyx = (p.myx * (1 + xx) + yx) / (1 + yy);
    v.tzy = (p.mzy * (1 + yy) + zy) / (1 + zz);
    v.tzx = (p.mzx * (1 + xx) + (p.mzy * yx + zx)) / (1 + zz);
  },
);
