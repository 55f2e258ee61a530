import { CorpuscleError, type Domain, FieldBlock, type Grid, imageFlags } from '@corpuscle/core';
import { strainNames } from '../../box/strainedBox.js';
import {
  type BlockCopy,
  copyOnHost,
  decodeRows,
  type MemoryOfBlock,
  type RowEncoding,
} from '../../engine/blockCopy.js';
import { settable } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import { type DeviceStrain, strainOf, strainOfPositions } from '../box/DeviceStrain.js';
import { readStrain } from '../box/readStrain.js';
import { LEAST } from '../box/strainText.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { Readback } from '../device/Readbacks.js';
import { isTextDevice } from '../device/textDevice.js';
import { addImages } from './addImages.js';
import { farRows } from './convertPositions.js';
import { DeviceBlock, type DeviceType, deviceType } from './DeviceBlock.js';
import { HostExtents } from './hostExtent.js';
import { defaultFrame, type PositionFrame } from './PositionFrame.js';
import { readRows } from './readRows.js';
import { rowsAtOnce, type TakenBoxes, uploadFields, uploadPositions } from './uploadBlock.js';

/** Particles come and go: blocks get a little more room than they need, so that they seldom move to another buffer. */
const SPARE = 1.02;
/** Low parts of positions. */
const LOW: DeviceType = { scalar: 'f32', words: 4, row: 'vec4f' };

/**
 * Where the newest copy of every block is, and the transfers between. A block goes up when the host has written since
 * its device copy was made, and comes down when it is asked for; nothing else moves.
 */
export class Residency {
  readonly #gpu: GpuDevice;
  readonly #blocks = new WeakMap<FieldBlock, DeviceBlock>();
  readonly #boxes = new WeakMap<Grid, Domain>();
  /** Where the host's positions are. */
  readonly extents = new HostExtents();
  /** Gives device memory back when a block is garbage; bind groups would keep it much longer. */
  readonly #garbage = new FinalizationRegistry<DeviceBlock>((record) => record.free());
  /** Whether the host's rows stay in memory though the device writes: while earlier calls are made again, and for devices that run nothing. */
  keepsHostRows: boolean;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.keepsHostRows = isTextDevice(gpu.device);
  }

  /** The box of a grid for the call whose turn it is: the host may have gone on and changed it. */
  boxOf(grid: Grid): Domain {
    return this.#boxes.get(grid) ?? this.boxFor(grid, grid.domain);
  }

  /**
   * What positions of a grid refer to where the host believes in a box: that box, or the reference of its strain if the box
   * stands for the strained one.
   */
  boxFor(grid: Grid, box: Domain): Domain {
    const strain = strainOf(grid);
    if (!strain) return box;
    if (strain.isMoved && this.isStale(grid.block('position'))) this.endStrain(strain);
    if (strain.isKnown(box)) return strain.reference;
    if (strain.isMoved)
      throw new CorpuscleError(
        'INTERNAL',
        'the box was changed on the host while a device was deforming it: await settle of its strain first',
      );
    strain.replace(box);
    return box;
  }

  /** The box that the host believes in is the reference from now on: positions are its own, or have been made so. */
  endStrain(strain: DeviceStrain): void {
    const { values } = this.#gpu;
    values.clear(strain.place, strainNames.length);
    strain.rest(strain.known);
  }

  /** Notes the box that a grid had when the call was made whose turn it is now. */
  setBox(grid: Grid, box: Domain): void {
    if (this.#boxes.get(grid) !== box) this.#boxes.set(grid, box);
  }

  /** The device copy of a block if there is one, current or not. */
  peek(block: FieldBlock): DeviceBlock | undefined {
    return this.#blocks.get(block);
  }

  /** True when the host's copy of a block is newer than the device's. */
  isStale(block: FieldBlock): boolean {
    const record = this.#blocks.get(block);
    return !record || block.hostVersion > record.version;
  }

  /** The current device copy of a block of `rows` rows; uploads if the host's is newer. */
  ensure(block: FieldBlock, rows: number): DeviceBlock {
    const record = this.#record(block, false);
    const capacity = rows + FieldBlock.PADDING;
    if (block.hostVersion > record.version) {
      const isNew = record.reserve(capacity, 0);
      this.#uploaded(block, record, rows, uploadFields(this.#gpu, block, record, rows, isNew));
    } else if (rows !== record.rows) {
      if (!record.holds(capacity)) record.reserve(roomFor(rows), record.rows);
      if (rows > record.rows)
        this.#gpu.stream.clear(
          record.buffer,
          record.rows * record.bytesPerRow,
          (capacity - record.rows) * record.bytesPerRow,
        );
      record.rows = rows;
      record.uniform = null;
    }
    return record;
  }

  /**
   * The current device copy of a grid's positions.
   * @param frame the frame an upload uses; without one, the frame in use or one chosen from the number of particles.
   * @throws CorpuscleError NOT_FINITE naming the particle, when an upload meets a position that is no number.
   */
  ensurePositions(grid: Grid, frame?: PositionFrame): DeviceBlock & { frame: PositionFrame } {
    const block = grid.block('position');
    const record = this.#record(block, true);
    const { count } = grid;
    if (block.hostVersion > record.version || record.rows !== count || !record.frame) {
      if (block.deviceVersion > block.hostVersion && record.rows > 0) {
        throw new CorpuscleError(
          'INTERNAL',
          'the number of particles changed while their positions were on the device: await newestOnHost before grid.resize',
        );
      }
      const box = this.boxOf(grid);
      const extent = this.extents.of(grid, box);
      // A frame wraps what is far outside by its own box.
      const known = record.frame?.domain === box ? record.frame : null;
      record.frame = frame ?? known ?? defaultFrame(box, extent, count);
      record.reserve(count + FieldBlock.PADDING, 0);
      const taken = uploadPositions(this.#gpu, block, record, record.frame, count);
      this.#uploaded(block, record, count, null);
      this.#countImages(grid, taken);
    }
    return record as DeviceBlock & { frame: PositionFrame };
  }

  /** An upload has taken boxes off positions: those of the device belong to the flags that it has now. */
  #countImages(grid: Grid, taken: readonly TakenBoxes[]): void {
    const block = grid.blocks.get(imageFlags.name);
    if (!block || taken.length === 0) return;
    const { buffer: flags } = this.ensure(block, grid.count);
    const kernel = this.#gpu.kernel(addImages);
    for (const { first, boxes } of taken) {
      const count = boxes.length / 4;
      const buffer = this.#gpu.buffer('boxes', boxes.byteLength);
      this.#gpu.stream.upload(buffer, new Uint8Array(boxes.buffer));
      this.#gpu.stream.dispatchThreads(kernel, [flags, buffer], { first, count }, count);
      this.#gpu.release(buffer);
    }
    this.written(block);
    this.written(grid.block('position'));
  }

  /**
   * Gives a block other rows on the device: those that it has stay, and a kernel writes new ones. The device has the newest copy then.
   * @param frame of positions
   */
  resize(block: FieldBlock, rows: number, frame: PositionFrame | null = null): DeviceBlock {
    const record = this.#record(block, frame !== null);
    const first = rows * record.bytesPerRow;
    const bytes = FieldBlock.PADDING * record.bytesPerRow;
    if (!record.holds(rows + FieldBlock.PADDING)) record.reserve(roomFor(rows), record.rows);
    record.rows = rows;
    record.frame = frame;
    if (frame) this.#gpu.stream.upload(record.buffer, farRows(FieldBlock.PADDING), first);
    else this.#gpu.stream.clear(record.buffer, first, bytes);
    this.written(block);
    return record;
  }

  /** Takes a grid from the host when it is next used, positions in a new frame. The host has the newest copies. */
  forget(grid: Grid): void {
    const strain = strainOf(grid);
    if (strain) {
      this.endStrain(strain);
      strain.narrow();
      this.#gpu.values.upload(strain.place + LEAST, [strain.least]);
    }
    this.#boxes.delete(grid);
    for (const block of grid.blocks.values()) {
      block.hostWritten();
      const record = this.#blocks.get(block);
      if (record) record.frame = null;
    }
  }

  /** The device has written a block: its copy is now the newest. */
  written(block: FieldBlock): void {
    this.moved(block);
    this.#blocks.get(block)!.uniform = null;
  }

  /** The same where rows have changed places only. */
  moved(block: FieldBlock): void {
    block.deviceWritten();
    this.#blocks.get(block)!.version = block.deviceVersion;
    if (!this.keepsHostRows) block.dropOld();
  }

  /** Makes the host copy of a block current. @param strain of the box, for positions */
  async download(block: FieldBlock, strain?: readonly number[] | null): Promise<void> {
    const record = this.#blocks.get(block);
    if (!record || record.version <= block.hostVersion) return;
    // A device that runs nothing leaves rows as they are, such as ids that groups are made of.
    if (isTextDevice(this.#gpu.device)) return block.synchronized();
    const { version, rows, encoding } = record;
    const perPiece = rowsAtOnce(this.#gpu, record.bytesPerRow);
    for (let row = 0; row < rows; row += perPiece) {
      const readbacks = readRows(this.#gpu, record, row, Math.min(perPiece, rows - row));
      for (const readback of readbacks) readback.flush();
      const parts = await Promise.all(readbacks.map(({ data }) => data));
      decodeRows(strainedBy(encoding, strain), block.spec, parts, block.array, row);
    }
    if (record.version === version) block.synchronized();
  }

  /**
   * Copies blocks as they are after everything recorded so far, from where they are newest; nothing waits for them. Rows that are
   * known to be the same, such as masses and types, stay on the device.
   * @param memoryOf what parts may be copied to, where it has the size
   */
  copy(
    blocks: readonly FieldBlock[],
    rows: number,
    memoryOf: MemoryOfBlock,
  ): PatternHandle<readonly BlockCopy[]> {
    const { values } = this.#gpu;
    const readbacks: Readback[] = [];
    const copies = blocks.map((block) => {
      const record = this.#blocks.get(block);
      if (!record || record.version <= block.hostVersion) return copyOnHost(block, rows);
      const { encoding, uniform } = record;
      const { type, width } = block.spec;
      const spec = { type, width };
      if (uniform)
        return { rows, spec, encoding: { kind: 'uniform' } as const, parts: [uniform.slice(0)] };
      const strain = strainOfPositions(block);
      const known = strain?.numbers;
      const reading = strain && !known && readStrain(this.#gpu, values.buffer, strain);
      if (reading) readbacks.push(reading.readback);
      const reads = readRows(this.#gpu, record, 0, rows, memoryOf(block));
      readbacks.push(...reads);
      return Promise.all(reads.map(({ data }) => data)).then(async (parts) => ({
        ...{ rows, spec, parts },
        encoding: strainedBy(encoding, reading ? await reading.numbers : known),
      }));
    });
    const handle = settable<readonly BlockCopy[]>(() => readbacks.at(-1)?.flush());
    Promise.all(copies).then(
      (all) => handle.resolve(all),
      (error: unknown) => handle.reject(error),
    );
    return handle;
  }

  #record(block: FieldBlock, isPosition: boolean): DeviceBlock {
    let record = this.#blocks.get(block);
    if (!record) {
      const { name } = block.spec;
      const { state } = this.#gpu.reals;
      record = new DeviceBlock(this.#gpu, name, deviceType(block, isPosition, state));
      if (isPosition && state === 'f64')
        record.low = new DeviceBlock(this.#gpu, `${name} (low)`, LOW);
      this.#blocks.set(block, record);
      this.#garbage.register(block, record);
    }
    return record;
  }

  #uploaded(
    block: FieldBlock,
    record: DeviceBlock,
    rows: number,
    uniform: ArrayBuffer | null,
  ): void {
    block.synchronized();
    record.version = block.hostVersion;
    record.rows = rows;
    record.uniform = uniform;
  }
}

const roomFor = (rows: number): number => Math.ceil(SPARE * rows) + FieldBlock.PADDING;

/** How rows lie in memory where the box is strained. */
const strainedBy = (encoding: RowEncoding, strain: readonly number[] | null | undefined) =>
  strain && encoding.kind === 'cells' ? { ...encoding, strain } : encoding;
