import type { Domain, Grid } from '@corpuscle/core';
import { valueFunctor } from '@corpuscle/functor';
import type { Prescription, PrescriptionOptions } from '../../box/Prescription.js';
import {
  formPlaces,
  type PrescribedPart,
  partlyPrescribed,
  partParams,
} from '../../box/prescribedPart.js';
import { rateNames, strainNames, strainParams, strainReals } from '../../box/strainedBox.js';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments } from '../../plan/calls.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { DeviceCall } from '../calls/DeviceCall.js';
import { ValuePass } from '../values/ValuePass.js';
import type { DeviceStrain } from './DeviceStrain.js';
import { prescribePart } from './partOfStrain.js';

const prescribeStrain = valueFunctor(
  { name: 'prescribe_strain', values: strainReals, params: strainReals },
  (v, p) => {
    v.xx = p.xx;
    v.yy = p.yy;
    v.zz = p.zz;
    v.yx = p.yx;
    v.zx = p.zx;
    v.zy = p.zy;
    v.x = p.x;
    v.y = p.y;
    v.z = p.z;
  },
);

const rates = Object.fromEntries(rateNames.map((name) => [name, 'real'])) as {
  readonly [N in (typeof rateNames)[number]]: 'real';
};

const tellRate = valueFunctor({ name: 'tell_rate', values: rates, params: rates }, (v, p) => {
  v.dxx = p.dxx;
  v.dxy = p.dxy;
  v.dxz = p.dxz;
  v.dyx = p.dyx;
  v.dyy = p.dyy;
  v.dyz = p.dyz;
  v.dzx = p.dzx;
  v.dzy = p.dzy;
  v.dzz = p.dzz;
});

/**
 * A box that the host knows beforehand, as a function of time, written into the strain; or a part of it, where values decide the
 * rest. What is written is the strain from the reference of the moment, so that a call that is made again, with another reference,
 * gives the same box.
 */
export class PrescribedStrain extends DeviceCall<void> {
  readonly kind = 'prescribed';
  /** That of the step which is recorded next. */
  prescription: Prescription | null = null;
  readonly #strain: DeviceStrain;
  readonly #boxNow: () => Domain;
  readonly #options: PrescriptionOptions;
  readonly #pass: ValuePass;

  /** @param boxNow the box of the moment at which the call is made */
  constructor(
    runner: CallRunner,
    grid: Grid,
    strain: DeviceStrain,
    boxNow: () => Domain,
    options: PrescriptionOptions,
  ) {
    const { part, rate } = options;
    super(runner, part ? prescribePart.name : prescribeStrain.name, grid);
    this.#strain = strain;
    this.#boxNow = boxNow;
    this.#options = options;
    const places = strainNames.map((_, k) => strain.place + k);
    const placed = part
      ? { functor: prescribePart.cell, places: [...places, ...formPlaces(part)] }
      : { functor: prescribeStrain.cell, places };
    const told = rate && {
      functor: tellRate.cell,
      places: rateNames.map((_, k) => rate.value.engineValues.parameter(k)),
    };
    this.#pass = new ValuePass(runner.gpu, null, told ? [placed, told] : [placed]);
  }

  /** The call is made: the host goes on with the new box, where it knows all of it. */
  next(): Prescription {
    const { part, rate } = this.#options;
    const box = this.#boxNow();
    if (!part) {
      this.#strain.expect(box);
      this.grid.domain = box;
    }
    return { box, rate: rate?.now() ?? null };
  }

  override run(args: CallArguments): PatternHandle<void> {
    const prescription = this.next();
    const { name, operator, grid } = this;
    const record = () => this.#record(prescription);
    return this.runner.run({ name, operator, grid, record }, args);
  }

  record(): PatternHandle<void> {
    return this.#record(this.prescription!);
  }

  #record({ box, rate }: Prescription): PatternHandle<void> {
    const { residency } = this.runner;
    const { part } = this.#options;
    residency.ensurePositions(this.grid);
    const given = part ? this.#paramsOf(box, part) : strainParams(this.#strain.prescribe(box));
    const told = rate && Object.fromEntries(rateNames.map((name, k) => [name, rate[k]!]));
    this.#pass.record(told ? [given, told] : [given]);
    residency.written(this.grid.block('position'));
    return completed();
  }

  #paramsOf(box: Domain, part: PrescribedPart): Readonly<Record<string, number>> {
    const { reference } = this.#strain;
    this.#strain.prescribePart(partlyPrescribed(reference, box, part));
    return partParams(reference, box, part);
  }
}
