import { type Domain, type Grid, type NearestImages, nearestImages } from '@corpuscle/core';
import { specialise } from '../../cpu/pair/specialise.js';
import type { Functor } from '../../functor/Functor.js';
import { withOutputs } from '../../functor/passes/withOutputs.js';
import type { SharedArray } from '../../pattern/createArray.js';
import { completed, pending } from '../../pattern/handles.js';
import type { PairCall, Totals } from '../../pattern/PatternEngine.js';
import type { PatternHandle } from '../../pattern/PatternHandle.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { FunctorTables } from '../pattern/FunctorTables.js';
import { functorText } from '../pattern/functorText.js';
import { KernelCache } from '../pattern/KernelCache.js';
import { PartialSums } from '../pattern/PartialSums.js';
import { layoutKey, particleBuffers } from '../pattern/ParticleAccess.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { packSource, type Turns, turnsOf, turnValues } from './packParticles.js';
import { TILE, type TileVariant } from './tileLoops.js';
import { type TileText, tileText } from './tileSource.js';

/** Workgroups that keep a large device busy; the tiles are shared out until there are about as many. */
const BUSY = 2048;

/** The bits of a number that is none. */
const NAN_BITS = 0x7fc00000;

interface TileProgram extends TileText {
  readonly tables: FunctorTables;
  readonly tileKernel: GpuKernel;
  readonly gatherKernel: GpuKernel;
  readonly sums: PartialSums | null;
}

/** A pair functor for all pairs of two sets of particles on the device; see `AllPairsOptions`. */
export class AllPairsPattern {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #programs = new KernelCache<TileProgram>();
  readonly #packAll: GpuKernel;
  readonly #packListed: GpuKernel;
  readonly #centrals: GrowingBuffer;
  readonly #others: GrowingBuffer;
  readonly #partial: GrowingBuffer;
  readonly #fault: GPUBuffer;

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#packAll = gpu.kernel(packSource(false));
    this.#packListed = gpu.kernel(packSource(true));
    this.#centrals = new GrowingBuffer(gpu, 'all pairs: central particles');
    this.#others = new GrowingBuffer(gpu, 'all pairs: neighbours');
    this.#partial = new GrowingBuffer(gpu, 'all pairs: partial sums');
    this.#fault = gpu.buffer('all pairs: fault', 16);
  }

  run(call: PairCall): PatternHandle<Totals> {
    const { grid, functor, params, rcut, outputs } = call;
    const all = call.allPairs!;
    const zero: Totals = {};
    for (const name in outputs) if (/^(total|both)$/.test(outputs[name]!)) zero[name] = 0;
    const centralCount = all.central?.length ?? grid.count;
    const otherCount = all.neighbours?.length ?? grid.count;
    if (centralCount === 0 || otherCount === 0) return completed(zero);

    const images = nearestImages(grid.domain, all.images);
    const { frame } = this.#residency.ensurePositions(grid);
    const turns = turnsOf(images, frame);
    const variant = variantOf(images, rcut, volumeOf(grid.domain, frame));
    const program = this.#program(call, variant);
    const isOneSet = all.central === all.neighbours;
    this.#gpu.stream.clear(this.#fault);
    const others = this.#pack(this.#others, grid, all.neighbours, { frame, turns });
    const centrals = isOneSet
      ? others
      : this.#pack(this.#centrals, grid, all.central, { frame, turns });

    const centralGroups = Math.ceil(centralCount / TILE);
    const tiles = Math.ceil(otherCount / TILE);
    const wanted = Math.min(tiles, Math.max(1, Math.round(BUSY / centralGroups)));
    const tilesPerSplit = Math.ceil(tiles / wanted);
    const splits = Math.ceil(tiles / tilesPerSplit);
    const groups = centralGroups * splits;
    const partial =
      program.stored > 0 ? [this.#partial.reserve(4 * splits * program.stored * centralCount)] : [];
    const sums = program.sums ? [program.sums.partials(groups), this.#fault] : [];
    const tables = program.tables.hasTables
      ? [program.tables.buffer(this.#gpu, functor.name, params)]
      : [];
    const row = (k: number) => [
      ...turns.vectors.slice(3 * k, 3 * k + 3).map((x) => x / 2 ** 32),
      0,
    ];
    const read = particleBuffers(grid, this.#residency, program.tileBlocks);
    this.#gpu.operation = functor.name;
    this.#gpu.stream.dispatch(
      program.tileKernel,
      [...read.buffers, centrals, others, ...tables, ...partial, ...sums],
      {
        ...program.tables.values(params),
        e0: row(0),
        e1: row(1),
        e2: row(2),
        rcut2: Math.min(rcut * rcut, 3e38),
        inner2: images.inner2,
        centralCount,
        centralGroups,
        tiles,
        tilesPerSplit,
        oneSet: isOneSet ? 1 : 0,
        groups,
        nan: NAN_BITS,
        one: 1,
      },
      groups,
    );
    if (program.stored > 0) {
      const out = particleBuffers(grid, this.#residency, program.gatherBlocks);
      this.#gpu.stream.dispatchThreads(
        program.gatherKernel,
        [...out.buffers, centrals, ...partial, this.#fault],
        { centralCount, splits, nan: NAN_BITS },
        centralCount,
      );
      out.written();
    }
    if (!program.sums) return completed(zero);
    const readback = program.sums.finish(groups);
    return pending(
      readback.values.then((numbers) => {
        program.totals.forEach(({ name }, k) => {
          zero[name] = numbers[k]!;
        });
        return zero;
      }),
      readback.hurry,
    );
  }

  #pack(
    target: GrowingBuffer,
    grid: Grid,
    rows: SharedArray | null,
    { frame, turns }: { frame: PositionFrame; turns: Turns },
  ): GPUBuffer {
    const count = rows?.length ?? grid.count;
    const padded = TILE * Math.ceil(count / TILE);
    const packed = target.reserve(16 * padded);
    const position = this.#residency.ensurePositions(grid).buffer;
    const listed = rows ? [this.#residency.ensure(rows.block, rows.length).buffer] : [];
    this.#gpu.stream.dispatchThreads(
      rows ? this.#packListed : this.#packAll,
      [position, ...listed, packed, this.#fault],
      { ...turnValues(turns, frame), count, padded },
      padded,
    );
    return packed;
  }

  #program(call: PairCall, variant: TileVariant): TileProgram {
    const { grid, outputs, params } = call;
    const functor = call.functor as Functor<'pair'>;
    const { i = {}, j = {}, p = {} } = functor.ir!.roles;
    let key = `${variant.box} ${variant.reach} ${layoutKey(grid, [...Object.keys(i), ...Object.keys(j)])}`;
    for (const name in outputs) key += `,${name}:${outputs[name]}`;
    for (const [name, { type, array }] of Object.entries(p)) {
      const value = params[name];
      if (typeof value === 'object') key += `,${array && value.length === 1 ? 1 : 0}`;
      else if (type !== 'real') key += `,${value}`;
    }
    return this.#programs.get(functor, key, () => {
      const kept = new Set(Object.keys(outputs).filter((name) => outputs[name] !== 'none'));
      const ir = withOutputs(specialise(functor.ir!, params).ir, kept);
      const tables = new FunctorTables(ir);
      const lowered = functorText(functor, ir, tables);
      const text = tileText({ functor, ir, lowered, tables, grid, outputs, variant });
      const sums =
        text.totals.length > 0 ? new PartialSums(this.#gpu, functor.name, text.totals) : null;
      return {
        ...text,
        tables,
        sums,
        tileKernel: this.#gpu.kernel(text.tiles),
        gatherKernel: this.#gpu.kernel(text.gather),
      };
    });
  }
}

/** Where more than this part of all pairs is in reach, hardly a run of pairs is free of them for all threads of a wave. */
const DENSE = 0.01;

function variantOf({ kind, rounded2 }: NearestImages, rcut: number, volume: number): TileVariant {
  const within = (4 / 3) * Math.PI * rcut ** 3;
  const reach = rcut * rcut > 1e30 ? 'endless' : within > DENSE * volume ? 'dense' : 'sparse';
  if (kind !== 'triclinic') return { box: 'orthorhombic', reach };
  return { box: rcut * rcut <= rounded2 ? 'rounded' : 'shifted', reach };
}

/** Volume of the part of a domain that particles are in. */
const volumeOf = ({ volume }: Domain, { length }: PositionFrame): number =>
  volume * length[0] * length[1] * length[2];
