import type { Grid } from '@corpuscle/core';
import { valueFunctor } from '@corpuscle/functor';
import { boxNames, strainNames, strainReals } from '../../box/strainedBox.js';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { DeviceCall } from '../calls/DeviceCall.js';
import type { DeviceValues } from '../values/DeviceValues.js';
import { ValuePass } from '../values/ValuePass.js';
import type { DeviceStrain } from './DeviceStrain.js';

const nine = ['xx', 'xy', 'xz', 'yx', 'yy', 'yz', 'zx', 'zy', 'zz'] as const;
const reals = <const N extends string>(names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, 'real'])) as Record<N, 'real'>;

/** The box that a strain makes of the reference `r…`: see `boxNames`. */
const measureBox = valueFunctor(
  {
    name: 'measure_box',
    values: {
      ...strainReals,
      ...reals(boxNames),
    },
    params: {
      ...(reals(nine.map((name) => `r${name}`)) as Record<`r${(typeof nine)[number]}`, 'real'>),
      ...reals(['ax', 'ay', 'az', 'repeatsX', 'repeatsY', 'repeatsZ']),
    },
  },
  (v, p) => {
    v.ox = p.ax + (v.x + (p.ax * v.xx + p.ay * v.yx + p.az * v.zx));
    v.oy = p.ay + (v.y + (p.ay * v.yy + p.az * v.zy));
    v.oz = p.az + (v.z + p.az * v.zz);
    v.mxx = p.rxx + (p.rxx * v.xx + p.rxy * v.yx + p.rxz * v.zx);
    v.mxy = p.rxy + (p.rxy * v.yy + p.rxz * v.zy);
    v.mxz = p.rxz + p.rxz * v.zz;
    v.myx = p.ryx + (p.ryx * v.xx + p.ryy * v.yx + p.ryz * v.zx);
    v.myy = p.ryy + (p.ryy * v.yy + p.ryz * v.zy);
    v.myz = p.ryz + p.ryz * v.zz;
    v.mzx = p.rzx + (p.rzx * v.xx + p.rzy * v.yx + p.rzz * v.zx);
    v.mzy = p.rzy + (p.rzy * v.yy + p.rzz * v.zy);
    v.mzz = p.rzz + p.rzz * v.zz;
    const xx = v.myy * v.mzz - v.myz * v.mzy;
    const yx = v.myz * v.mzx - v.myx * v.mzz;
    const zx = v.myx * v.mzy - v.myy * v.mzx;
    const volume = v.mxx * xx + v.mxy * yx + v.mxz * zx;
    const a = p.repeatsX / volume;
    const b = p.repeatsY / volume;
    const c = p.repeatsZ / volume;
    v.ixx = a * xx;
    v.iyx = a * yx;
    v.izx = a * zx;
    v.ixy = b * (v.mzy * v.mxz - v.mzz * v.mxy);
    v.iyy = b * (v.mzz * v.mxx - v.mzx * v.mxz);
    v.izy = b * (v.mzx * v.mxy - v.mzy * v.mxx);
    v.ixz = c * (v.mxy * v.myz - v.mxz * v.myy);
    v.iyz = c * (v.mxz * v.myx - v.mxx * v.myz);
    v.izz = c * (v.mxx * v.myy - v.mxy * v.myx);
  },
);

/** Writes the present box into values. What is computed is seen from the reference of the moment, also where the call is made again. */
export class MeasuredStrain extends DeviceCall<void> {
  readonly kind = 'box';
  readonly #strain: DeviceStrain;
  readonly #pass: ValuePass;

  constructor(runner: CallRunner, grid: Grid, strain: DeviceStrain, box: DeviceValues) {
    super(runner, measureBox.name, grid);
    this.#strain = strain;
    const places = [
      ...strainNames.map((_, k) => strain.place + k),
      ...boxNames.map((_, k) => box.parameter(k)),
    ];
    this.#pass = new ValuePass(runner.gpu, null, [{ functor: measureBox.cell, places }]);
  }

  record(): PatternHandle<void> {
    this.runner.residency.ensurePositions(this.grid);
    const { matrix, periodic, origin } = this.#strain.reference;
    const [ax, ay, az] = origin;
    const [repeatsX, repeatsY, repeatsZ] = periodic.map(Number);
    const rows = nine.map((name, k) => [`r${name}`, matrix[k]!]);
    const params = { ...Object.fromEntries(rows), ax, ay, az, repeatsX, repeatsY, repeatsZ };
    this.#pass.record([params]);
    return completed();
  }
}
