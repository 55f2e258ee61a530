import type { Domain, Grid } from '@corpuscle/core';
import { valueFunctor } from '@corpuscle/functor';
import {
  formPlaces,
  type PrescribedPart,
  partlyPrescribed,
  partParams,
} from '../../box/prescribedPart.js';
import { strainNames, strainParams, strainReals } from '../../box/strainedBox.js';
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

/**
 * A box that the host knows beforehand, as a function of time, written into the strain; or a part of it, where values decide the
 * rest. What is written is the strain from the reference of the moment, so that a call that is made again, with another reference,
 * gives the same box.
 */
export class PrescribedStrain extends DeviceCall<void> {
  readonly kind = 'prescribed';
  /** The box of the step that is recorded next. */
  box: Domain | null = null;
  readonly #strain: DeviceStrain;
  readonly #boxNow: () => Domain;
  readonly #part: PrescribedPart | null;
  readonly #pass: ValuePass;

  /** @param boxNow the box of the moment at which the call is made. @param part what of it is prescribed; null for all */
  constructor(
    runner: CallRunner,
    grid: Grid,
    strain: DeviceStrain,
    boxNow: () => Domain,
    part: PrescribedPart | null,
  ) {
    super(runner, part ? prescribePart.name : prescribeStrain.name, grid);
    this.#strain = strain;
    this.#boxNow = boxNow;
    this.#part = part;
    const places = strainNames.map((_, k) => strain.place + k);
    const placed = part
      ? { functor: prescribePart.cell, places: [...places, ...formPlaces(part)] }
      : { functor: prescribeStrain.cell, places };
    this.#pass = new ValuePass(runner.gpu, null, [placed]);
  }

  /** The call is made: the host goes on with the new box, where it knows all of it. */
  next(): Domain {
    const box = this.#boxNow();
    if (this.#part) return box;
    this.#strain.expect(box);
    this.grid.domain = box;
    return box;
  }

  override run(args: CallArguments): PatternHandle<void> {
    const box = this.next();
    const { kind, name, operator, grid } = this;
    const record = () => this.#record(box);
    return this.runner.run({ kind, name, operator, grid, record }, args);
  }

  record(): PatternHandle<void> {
    return this.#record(this.box!);
  }

  #record(box: Domain): PatternHandle<void> {
    const { residency } = this.runner;
    residency.ensurePositions(this.grid);
    this.#pass.record([
      this.#part ? this.#paramsOf(box, this.#part) : strainParams(this.#strain.prescribe(box)),
    ]);
    residency.written(this.grid.block('position'));
    return completed();
  }

  #paramsOf(box: Domain, part: PrescribedPart): Readonly<Record<string, number>> {
    const { reference } = this.#strain;
    this.#strain.prescribePart(partlyPrescribed(reference, box, part));
    return partParams(reference, box, part);
  }
}
