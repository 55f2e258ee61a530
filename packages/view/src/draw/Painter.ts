import type { Grid } from '@corpuscle/core';
import type { DeviceParticles } from '@corpuscle/patterns';
import type { Camera } from '../camera/Camera.js';
import type { Look } from '../Look.js';
import { Buffers } from './Buffers.js';
import { boxSegments } from './boxSegments.js';
import { ordered } from './ordered.js';
import { Painting } from './Painting.js';
import { Pipelines } from './Pipelines.js';
import { LANES } from './rasterText.js';
import { type PictureSize, sceneOf, tablesOf } from './Scene.js';

/** Workgroups that keep a large GPU busy. */
const GROUPS = 1024;
const MOST_GROUPS = 65535;

/** Words that a click is answered with; see `pickText`. */
export const PICK_WORDS = 12;

/**
 * Records the kernels of a picture:
 *
 *   [rows ─► bonds ─►] [range ─►] paint ─► spheres, segments: depths ─► the same: owners ─► shade ─► resolve
 */
export class Painter {
  readonly pipelines: Pipelines;
  readonly #device: GPUDevice;
  readonly #buffers: Buffers;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.pipelines = Pipelines.of(device);
    this.#buffers = new Buffers(device);
  }

  /** Draws into buffers of the view; the picture is in the last of them. */
  paint(
    grid: Grid,
    particles: DeviceParticles,
    look: Look,
    camera: Camera,
    size: PictureSize,
  ): Painting {
    const buffers = this.#buffers;
    const pixels = size.width * size.height;
    const samples = pixels * size.samples ** 2;
    const scene = buffers.filled('scene', sceneOf(grid, particles, look, camera, size), 'uniform');
    const hits = buffers.of('pixels', 8 * samples);
    const shaded = buffers.of('samples', 4 * samples);
    const strain = particles.strain?.buffer ?? buffers.of('strain', 16);
    const painting = new Painting(this.#device, this.pipelines, scene, {
      ...{ strain, hits, shaded },
      range: buffers.of('range', 8),
      positions: particles.blocks.get('position')!.buffer,
      types: particles.blocks.get('type')!.buffer,
      ids: particles.blocks.get('id')!.buffer,
      field: fieldBuffer(grid, particles, look),
      tables: buffers.filled('tables', tablesOf(grid, look)),
      paint: buffers.of('colors', 4 * particles.count),
      picture: size.samples > 1 ? buffers.of('picture', 4 * pixels) : shaded,
      found: buffers.of('click', 4 * PICK_WORDS),
    });
    painting.encoder.clearBuffer(hits, 0, 8 * samples);
    this.#range(painting, look);
    const { count } = particles;
    const { images: [a, b, c] = [1, 1, 1], box = true, bonds = [], color = 'type' } = look;
    const rows = Math.min(MOST_GROUPS, Math.ceil(count / 256));
    const halves = 2 * bonds.length * a * b * c;
    const edges = box ? boxSegments(particles.domain, camera.from) : new Float32Array();
    const segments = halves + edges.length / 8;
    painting.buffers.segments = buffers.of('segments', 32 * segments);
    if (edges.length > 0)
      this.#device.queue.writeBuffer(painting.buffers.segments, 32 * halves, edges);
    if (halves > 0) this.#bonds(painting, look, halves);
    if (color !== 'type' && !color.range)
      painting.run('range', ['positions', 'strain', 'field', 'range'], Math.min(rows, GROUPS));
    const painted = ['positions', 'strain', 'field', 'range', 'types', 'tables', 'paint'] as const;
    painting.run('paint', painted, rows);
    for (const second of [0, 1]) {
      this.#bodies(painting, 'spheres', second, count * a * b * c);
      this.#bodies(painting, 'segments', second, segments);
    }
    const { width, height } = size;
    const tiles = [Math.ceil((width * size.samples) / 8), Math.ceil((height * size.samples) / 8)];
    const shadedBy = ['hits', 'strain', 'positions', 'segments', 'paint', 'shaded'] as const;
    painting.run('shade', shadedBy, tiles[0]!, tiles[1]!);
    if (size.samples > 1)
      painting.run('resolve', ['shaded', 'picture'], Math.ceil(width / 8), Math.ceil(height / 8));
    return painting;
  }

  /** Sets the numbers of the first and the last color, or makes them ready to be found. */
  #range(painting: Painting, { color = 'type' }: Look): void {
    if (color === 'type' || !color.range) {
      painting.clear('range');
      return;
    }
    const [least, greatest] = color.range.map(ordered) as [number, number];
    const words = Uint32Array.of(~least, greatest);
    this.#device.queue.writeBuffer(painting.buffers.range!, 0, words);
  }

  #bonds(painting: Painting, { bonds = [] }: Look, halves: number): void {
    const pairs = Uint32Array.from(bonds.flatMap(({ ids }) => ids));
    const most = pairs.reduce((largest, id) => Math.max(largest, id), 0);
    painting.buffers.bonds = this.#buffers.filled('bonds', pairs);
    painting.buffers.rows = this.#buffers.of('rows of ids', 4 * (most + 1));
    painting.clear('rows');
    painting.run('rows', ['ids', 'rows'], GROUPS);
    const made = ['positions', 'strain', 'bonds', 'rows', 'segments'] as const;
    painting.run('bonds', made, Math.min(MOST_GROUPS, Math.ceil(halves / 64)));
  }

  /** A turn over bodies: as many a workgroup as leave enough workgroups. */
  #bodies(painting: Painting, name: 'spheres' | 'segments', second: number, bodies: number): void {
    if (bodies === 0) return;
    const batch = Math.max(1, Math.min(LANES, Math.floor(bodies / GROUPS)));
    const groups = Math.ceil(bodies / batch);
    const wide = Math.min(groups, MOST_GROUPS);
    const words = Uint32Array.of(second, batch, bodies, wide);
    painting.buffers.turn = this.#buffers.filled(`turn ${name} ${second}`, words, 'uniform');
    const given = ['turn', 'hits', 'strain'] as const;
    const own =
      name === 'spheres' ? (['positions', 'types', 'tables'] as const) : ['segments' as const];
    painting.run(name, [...given, ...own], wide, Math.ceil(groups / wide));
  }

  /** A buffer that the host can read. */
  staging(bytes: number): GPUBuffer {
    return this.#device.createBuffer({ label: 'view: read', size: bytes, usage: 0x01 | 0x08 });
  }

  free(): void {
    this.#buffers.free();
  }
}

function fieldBuffer(grid: Grid, { blocks }: DeviceParticles, { color = 'type' }: Look): GPUBuffer {
  return blocks.get(color === 'type' ? 'type' : grid.field(color.field).block)!.buffer;
}
