import { nearestImages } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { withOutputs } from '@corpuscle/functor/passes';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { PairCall, Totals } from '../../plan/calls.js';
import { specialize } from '../../plan/specialize.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { FunctorTables } from '../pattern/FunctorTables.js';
import { functorText } from '../pattern/functorText.js';
import { KernelCache } from '../pattern/KernelCache.js';
import { finishTotals, PartialSums, totalsByName } from '../pattern/PartialSums.js';
import { layoutKey, particleBuffers } from '../pattern/ParticleAccess.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { Residency } from '../residency/Residency.js';
import { lightFunctor } from './lightFunctor.js';
import { PackedSets } from './PackedSets.js';
import { turnsOf } from './packParticles.js';
import { reachValues } from './reachValues.js';
import { TILE } from './TileWalk.js';
import { type TileText, tileText } from './tileSource.js';
import { type TileVariant, variantOf } from './tileVariant.js';

/** Workgroups that keep a large device busy; the tiles are shared out until there are about as many. */
const BUSY = 2048;

/** The bits of a number that is none. */
const NAN_BITS = 0x7fc00000;

/** Pairs of a dispatch, which keep a device busy for some tenths of a second, and workgroups that it has at least. */
const DISPATCH = { f32: 1e11, f64: 1e10, groups: 512 };

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
  readonly #sets: PackedSets;
  readonly #partial: GrowingBuffer;
  /** Can be set for tests. */
  dispatchLimits = DISPATCH;

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#sets = new PackedSets(gpu, residency);
    this.#partial = new GrowingBuffer(gpu, 'all pairs: partial sums');
  }

  run(call: PairCall): PatternHandle<Totals> {
    const { grid, functor, params, rcut, outputs } = call;
    const all = call.allPairs!;
    const zero: Totals = {};
    for (const name in outputs) if (/^(total|both)$/.test(outputs[name]!)) zero[name] = 0;
    const centralCount = all.central?.length ?? grid.count;
    const otherCount = all.neighbors?.length ?? grid.count;
    if (centralCount === 0 || otherCount === 0) return completed(zero);

    const box = this.#residency.boxOf(grid);
    const images = nearestImages(box, all.images);
    const { frame } = this.#residency.ensurePositions(grid);
    const turns = turnsOf(images, frame);
    const variant = variantOf(images, rcut, box, frame, all.starts !== null);
    const program = this.#program(call, variant);
    const isOneSet = all.central === all.neighbors;
    const { fault } = this.#sets;
    this.#sets.begin(grid, all);
    const others = this.#sets.pack('neighbors', grid, all.neighbors, turns);
    const centrals = isOneSet ? others : this.#sets.pack('central', grid, all.central, turns);

    const centralGroups = Math.ceil(centralCount / TILE);
    const tiles = Math.ceil(otherCount / TILE);
    const most = variant.listed ? 1 : tiles;
    const wanted = Math.min(most, Math.max(1, Math.round(BUSY / centralGroups)));
    const tilesPerSplit = Math.ceil(tiles / wanted);
    const splits = Math.ceil(tiles / tilesPerSplit);
    const groups = centralGroups * splits;
    const bytes = this.#gpu.reals.state === 'f64' ? 8 : 4;
    const partial =
      program.stored > 0
        ? [this.#partial.reserve(bytes * splits * program.stored * centralCount)]
        : [];
    const sums = program.sums ? [program.sums.partials(groups), fault] : [];
    const tables = program.tables.hasTables
      ? [program.tables.buffer(this.#gpu, functor.name, params)]
      : [];
    const starts = all.starts
      ? [this.#residency.ensure(all.starts.block, all.starts.length).buffer]
      : [];
    const read = particleBuffers(grid, this.#residency, program.tileBlocks);
    this.#gpu.operation = functor.name;
    const sets = [centrals.buffer, others.buffer, ...starts];
    const buffers = [...read.buffers, ...sets, ...tables, ...partial, ...sums];
    const values = {
      ...program.tables.values(params),
      ...reachValues(turns, images, rcut),
      centralCount,
      otherCount,
      centralPadded: centrals.padded,
      otherPadded: others.padded,
      centralGroups,
      tiles,
      tilesPerSplit,
      oneSet: isOneSet ? 1 : 0,
      groups,
      nan: NAN_BITS,
    };
    const together = this.#dispatchSize(TILE * TILE * tilesPerSplit);
    for (let firstGroup = 0; firstGroup < groups; firstGroup += together) {
      const count = Math.min(together, groups - firstGroup);
      this.#gpu.stream.dispatch(program.tileKernel, buffers, { ...values, firstGroup }, count);
    }
    if (program.stored > 0) {
      const out = particleBuffers(grid, this.#residency, program.gatherBlocks);
      this.#gpu.stream.dispatchThreads(
        program.gatherKernel,
        [...out.buffers, centrals.buffer, ...partial, fault],
        { centralCount, splits, nan: NAN_BITS },
        centralCount,
      );
      out.written();
    }
    if (!program.sums) return completed(zero);
    const names = Object.keys(zero);
    const outcome = totalsByName(names, program.totals);
    return finishTotals(program.sums, groups, call.into, names, outcome);
  }

  /** Workgroups of a dispatch, if one has so many pairs: none may take so long that the driver ends it. */
  #dispatchSize(pairs: number): number {
    const { groups, [this.#gpu.reals.state]: most } = this.dispatchLimits;
    return Math.max(groups, Math.floor(most / pairs));
  }

  #program(call: PairCall, variant: TileVariant): TileProgram {
    const { grid, outputs, params, allPairs } = call;
    const isOneSet = allPairs?.central === allPairs?.neighbors;
    const { reals } = this.#gpu;
    const functor = call.functor as Functor<'pair'>;
    const { i = {}, j = {}, p = {} } = functor.ir!.roles;
    let key = `${Object.values(variant)} ${isOneSet} ${layoutKey(grid, [...Object.keys(i), ...Object.keys(j)])}`;
    for (const name in outputs) key += `,${name}:${outputs[name]}`;
    for (const [name, { type, array }] of Object.entries(p)) {
      const value = params[name];
      if (typeof value === 'object') key += `,${array && value.length === 1 ? 1 : 0}`;
      else if (type !== 'real') key += `,${value}`;
    }
    return this.#programs.get(functor, key, () => {
      const kept = new Set(Object.keys(outputs).filter((name) => outputs[name] !== 'none'));
      const ir = withOutputs(specialize(functor.ir!, params).ir, kept);
      const tables = new FunctorTables(ir, '', reals.pair);
      const lowered = functorText(functor, ir, tables);
      const lightIr = variant.reach === 'sparse' ? null : lightFunctor(ir, call);
      const light = lightIr && functorText(functor, lightIr, tables, '_light');
      const request = { functor, ir, lowered, light, tables, grid, outputs, variant, reals };
      const text = tileText(request);
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
