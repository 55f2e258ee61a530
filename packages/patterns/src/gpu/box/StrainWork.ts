import type { Domain, Grid } from '@corpuscle/core';
import { leaveStrain } from '../../box/leaveStrain.js';
import { strainedBox, strainedPoint, strainedRows, strainNames } from '../../box/strainedBox.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Snapshot } from '../speculation/Snapshot.js';
import { ValuePass } from '../values/ValuePass.js';
import { type DeviceStrain, strainOf } from './DeviceStrain.js';
import { readStrain } from './readStrain.js';
import { LEAST, strainText, TAKEN } from './strainText.js';

const LANES = 128;

const LOW = { name: 'low', type: 'array<vec4f>', access: 'read_write' } as const;

const stretch =
  'position[index] = vec4u(bitcast<vec3u>(strained(bitcast<vec3f>(row.xyz))), row.w);';

const stretchDoubles = `let high = bitcast<vec3f>(row.xyz);
    let less = low[index];
    let r = strainedReals(vec2f(high.x, less.x), vec2f(high.y, less.y), vec2f(high.z, less.z));
    position[index] = vec4u(bitcast<vec3u>(vec3f(r[0].x, r[1].x, r[2].x)), row.w);
    low[index] = vec4f(r[0].y, r[1].y, r[2].y, less.w);`;

/** A box, the strain that makes it of the reference, and where its numbers lie among the values of the context. */
interface Stretched {
  readonly box: Domain;
  readonly numbers: readonly number[];
  readonly place: number;
}

/** Reads strains, and makes the present box of a grid the reference. */
export class StrainWork {
  readonly #runner: CallRunner;
  readonly #kernels = new Map<string, GpuKernel>();
  readonly #passes = new Map<number, ValuePass>();

  constructor(runner: CallRunner) {
    this.#runner = runner;
  }

  /** The nine numbers after everything recorded so far. */
  read(strain: DeviceStrain): Promise<readonly number[]> {
    return this.#numbersIn(this.#runner.gpu.values.buffer, strain);
  }

  /** Those of a snapshot that is not older than the strain. */
  readFrom(snapshot: Snapshot, strain: DeviceStrain): Promise<readonly number[]> {
    return this.#numbersIn(snapshot.values, strain);
  }

  /** Sets the numbers of a strain that nothing has deformed yet. */
  begin(strain: DeviceStrain): void {
    this.#runner.gpu.values.clear(strain.place, strainNames.length);
    this.writeAllowance(strain);
  }

  /** The host learns of the present box. @returns the numbers of its strain; null where there is none */
  async know(grid: Grid): Promise<readonly number[] | null> {
    const strain = strainOf(grid);
    if (!strain?.isMoved) {
      strain?.tellReference(grid);
      return null;
    }
    if (strain.numbers) return strain.numbers;
    const numbers = await this.read(strain);
    strain.tell(grid, strain.boxAt(numbers));
    return numbers;
  }

  /** Makes the present box of a grid the reference of its strain, on the host too; null where it is. */
  settle(grid: Grid): Promise<void> | null {
    const strain = strainOf(grid);
    if (strain?.isMoved) return this.#settle(grid, strain);
    strain?.tellReference(grid);
    return null;
  }

  async #settle(grid: Grid, strain: DeviceStrain): Promise<void> {
    await this.#runner.speculation.settle();
    this.takeIn(grid, strain, strain.numbers ?? (await this.read(strain)));
    strain.tell(grid, strain.reference);
  }

  #numbersIn(values: GPUBuffer, strain: DeviceStrain): Promise<readonly number[]> {
    const { readback, numbers } = readStrain(this.#runner.gpu, values, strain);
    readback.flush();
    return numbers;
  }

  /** Writes how much distances may shrink. */
  writeAllowance({ place, least }: DeviceStrain): void {
    this.#runner.gpu.values.upload(place + LEAST, [least]);
  }

  /**
   * Makes the present box the reference: positions are stretched with it in their cells, and there is no strain then.
   * @param numbers those that the device has at this point.
   */
  takeIn(grid: Grid, strain: DeviceStrain, numbers: readonly number[]): void {
    const box = strain.boxAt(numbers);
    this.#stretch(grid, strain, strain.reference, { box, numbers, place: strain.place });
    this.#runner.gpu.values.clear(strain.place, strainNames.length);
    strain.rest(box);
  }

  /** What the host has prescribed of a strain is taken in; the rest, which it does not know, is left. */
  takeKnownIn(grid: Grid, strain: DeviceStrain): void {
    if (strain.numbers) this.takeIn(grid, strain, strain.numbers);
    const { part, reference, place } = strain;
    if (!part) return;
    const { values } = this.#runner.gpu;
    values.upload(place + TAKEN, part.numbers);
    this.#stretch(grid, strain, reference, { ...part, place: place + TAKEN });
    this.#leaving(strain).record([{}]);
    strain.restore({ reference: part.box, isMoved: true, numbers: null, part: null });
  }

  #leaving({ place }: DeviceStrain): ValuePass {
    let pass = this.#passes.get(place);
    if (!pass) {
      const places = [place, place + TAKEN].flatMap((at) => strainNames.map((_, k) => at + k));
      pass = new ValuePass(this.#runner.gpu, null, [{ functor: leaveStrain.cell, places }]);
      this.#passes.set(place, pass);
    }
    return pass;
  }

  /** Positions are stretched with their cells by the strain from a reference box to another. */
  #stretch(grid: Grid, strain: DeviceStrain, reference: Domain, to: Stretched): void {
    const { gpu, residency, neighbors } = this.#runner;
    const { box, numbers, place } = to;
    const position = residency.ensurePositions(grid);
    gpu.stream.dispatchThreads(
      this.#kernelFor(strain, place),
      position.low ? [position.buffer, position.low.buffer] : [position.buffer],
      { count: grid.count },
      grid.count,
    );
    const { domain } = position.frame;
    // Where the host has replaced the box since the last sort, cells are still those of the box before.
    const own = domain === reference ? box : strainedBox(domain, numbers);
    position.frame = strainedFrame(position.frame, own, numbers);
    residency.written(grid.block('position'));
    residency.setBox(grid, box);
    neighbors.followFrame(grid, position.frame);
  }

  #kernelFor({ isDouble, isSheared }: DeviceStrain, place: number): GpuKernel {
    const strain = { place, isDouble, isSheared };
    const key = `${place} ${isSheared}`;
    let kernel = this.#kernels.get(key);
    if (!kernel) {
      kernel = this.#runner.gpu.kernel({
        label: 'box: take strain in',
        about:
          'The strained box becomes the reference: one thread stretches the relative vector of a particle.',
        workgroupSize: LANES,
        buffers: [
          { name: 'position', type: 'array<vec4u>', access: 'read_write' },
          ...(strain.isDouble ? [LOW] : []),
        ],
        params: { count: 'u32' },
        declarations: strainText(strain),
        body: `
  if (index < P.count) {
    let row = position[index];
    ${strain.isDouble ? stretchDoubles : stretch}
  }`,
      });
      this.#kernels.set(key, kernel);
    }
    return kernel;
  }
}

/** The same cells in a strained box. */
export function strainedFrame(
  frame: PositionFrame,
  domain: PositionFrame['domain'],
  numbers: readonly number[],
): PositionFrame {
  const { length, dims } = frame;
  const scale = [0, 1, 2].map((k) => length[k]! / dims[k]!);
  return {
    ...frame,
    domain,
    edges: strainedRows(frame.edges, numbers),
    inverse: domain.inverse.map((value, k) => value / scale[k % 3]!),
    center: strainedPoint(frame.center, numbers),
  };
}
