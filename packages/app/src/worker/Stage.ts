import type { Grid } from '@corpuscle/core';
import { bondsOf } from '@corpuscle/operators';
import type { ExecutionContext } from '@corpuscle/patterns';
import {
  type AskedPicture,
  type Bonded,
  type Camera,
  type Coloring,
  cameraFor,
  colorMaps,
  compileView,
  createView,
  type Look,
  type MapName,
  move,
  orbit,
  type Picture,
  usualRadius,
  type View,
  zoom,
} from '@corpuscle/view';
import {
  type Appearance,
  type ColorScale,
  type Motion,
  type RecordedSize,
  usualAppearance,
} from '../session/messages.js';
import { FORMULA, formulaOf } from './formulaOf.js';
import { Mirror } from './Mirror.js';
import { slicePlanes } from './slicePlanes.js';
import { speedOf } from './speedOf.js';
import { withLens } from './withLens.js';

/** Milliseconds without a request after which the page counts as hidden: browsers ask for no pictures then. */
const HIDDEN = 250;

/** The picture of the particles: drawn when the browser shows one, if anything has changed. */
export class Stage {
  readonly #canvas: OffscreenCanvas;
  /** Tells what changes when a run gets on. */
  readonly #stepNow: () => number;
  readonly #onPicture: (pictures: number, step: number) => void;
  #pictures = 0;
  #view: View | null = null;
  #context: ExecutionContext | null = null;
  /** Where the particles are copied from, if a run has them on the CPU. */
  #mirror: Mirror | null = null;
  #camera: Camera | null = null;
  #look = usualAppearance;
  /** Of the particles that are shown. */
  #particles: Grid | null = null;
  #bonds: readonly Bonded[] = [];
  #radius = 1;
  #drawing: Promise<void> = Promise.resolve();
  #isDrawing = false;
  #isStale = true;
  #drawnStep = -1;
  /** Told of the next picture: a run waits for it. */
  #onAsked: ((asked: AskedPicture | null) => void) | null = null;
  #isHidden = false;
  #isStreamed = false;

  /** @param onPicture told after each picture how many there are, and the step it shows; of the first when it is seen. */
  constructor(
    canvas: OffscreenCanvas,
    stepNow: () => number,
    onPicture: (pictures: number, step: number) => void,
  ) {
    this.#canvas = canvas;
    this.#stepNow = stepNow;
    this.#onPicture = onPicture;
    const turn = () => {
      this.#isHidden = false;
      this.#turn();
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }

  /**
   * Shows other particles from now on; resolves when those before are drawn no more.
   * @param context that draws: where it is not that of the particles, they are copied for each picture.
   * @param options `isStreamed`: the next frame of a story, which has the number that colors come from; `bonds`: those of a file.
   */
  async show(
    particles: Grid,
    context: ExecutionContext,
    { isStreamed = false, bonds }: ShowOptions = {},
  ): Promise<void> {
    await this.#drawing;
    const isElsewhere = particles.heap !== context.heap;
    this.#mirror?.grid.free();
    this.#mirror = isElsewhere ? new Mirror(particles, context) : null;
    const grid = this.#mirror?.grid ?? particles;
    if (this.#context !== context) {
      this.#view?.close();
      this.#view = null;
    }
    this.#context = context;
    const isSameBox =
      (isStreamed && this.#isStreamed) || (this.#view && sameBox(this.#view.grid, grid));
    this.#isStreamed = isStreamed;
    this.#bonds = bonds ?? bondsOf(particles)?.bonds ?? [];
    // Frames of one story have spheres of one size.
    if (this.#particles !== particles) this.#radius = usualRadius(particles);
    this.#particles = particles;
    if (this.#view) this.#view.grid = grid;
    else this.#view = createView({ context, grid, canvas: this.#canvas });
    if (!isSameBox || !this.#camera) this.#camera = this.#whole(grid);
    this.#view.look = this.#lookFor(grid);
    this.#isStale = true;
  }

  /** Gives up the particles, before their context is closed. */
  async clear(): Promise<void> {
    await this.#drawing;
    this.#view?.close();
    this.#view = this.#context = this.#mirror = null;
  }

  set size({ width, height }: { readonly width: number; readonly height: number }) {
    this.#canvas.width = Math.max(1, width);
    this.#canvas.height = Math.max(1, height);
    if (this.#view) this.#camera ??= this.#whole(this.#view.grid);
    this.#isStale = true;
  }

  /** @throws CorpuscleError for a text that is no formula, or not of these particles, which then have the colors of types */
  set look(look: Appearance) {
    const isOther = String(look.images) !== String(this.#look.images);
    this.#look = look;
    this.#isStale = true;
    if (!this.#view) return;
    const whole = this.#whole(this.#view.grid);
    this.#camera = isOther || !this.#camera ? whole : withLens(this.#camera, whole);
    this.#view.look = this.#lookFor(this.#view.grid);
    if (look.color === FORMULA) formulaOf(look.formula, this.#view.grid);
  }

  /** What is seen has changed. */
  refresh(): void {
    this.#isStale = true;
  }

  /** The next picture, when it has been asked of the device; null while the page is hidden. */
  picture(): Promise<AskedPicture | null> {
    if (!this.#view || !this.#camera || this.#isHidden) return Promise.resolve(null);
    this.#isStale = true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#isHidden = !this.#isDrawing;
        this.#onAsked?.(null);
      }, HIDDEN);
      this.#onAsked = (asked) => {
        clearTimeout(timer);
        this.#onAsked = null;
        resolve(asked);
      };
    });
  }

  /** Moves the camera. */
  move(motion: Motion): void {
    if (!this.#camera || !this.#view) return;
    if (motion.kind === 'orbit') this.#camera = orbit(this.#camera, motion.right, motion.upward);
    else if (motion.kind === 'move') this.#camera = move(this.#camera, motion.right, motion.upward);
    else if (motion.kind === 'zoom') this.#camera = zoom(this.#camera, motion.factor);
    else this.#camera = this.#whole(this.#view.grid);
    this.#isStale = true;
  }

  /** What is seen, of another size; null where nothing is. */
  async still({ width, height }: RecordedSize): Promise<Picture | null> {
    await this.#drawing;
    if (!this.#view || !this.#camera) return null;
    this.#mirror?.update();
    return this.#view.picture({ width, height, camera: this.#camera });
  }

  /** What the colors mean now; null for those of types. */
  async legend(): Promise<ColorScale | null> {
    await this.#drawing;
    const legend = await this.#view?.legend();
    if (!legend) return null;
    const { map, range } = legend;
    const colors = colorMaps[map].map((rgb) => `rgb(${rgb.map((c) => Math.round(255 * c))})`);
    return { name: this.#colorName, least: range[0], greatest: range[1], colors };
  }

  /** What is at a pixel, as a sentence; null for nothing. */
  async pick(x: number, y: number): Promise<string | null> {
    const picked = await this.#view?.pick(Math.round(x), Math.round(y));
    if (!picked) return null;
    const place = picked.position.map((one) => one.toPrecision(5)).join(', ');
    const value =
      picked.value === null ? '' : `, ${this.#colorName} ${picked.value.toPrecision(5)}`;
    return `particle ${picked.id}, type ${picked.type}, at ${place}${value}`;
  }

  #turn(): void {
    if (!this.#view || !this.#camera || this.#isDrawing || !this.#isStale) return;
    this.#isStale = false;
    this.#drawnStep = this.#stepNow();
    this.#isDrawing = true;
    this.#drawing = this.#draw(this.#view, this.#camera);
  }

  /** A picture that fails leaves the run alone: its own error is told where the run awaits the device. */
  async #draw(view: View, camera: Camera): Promise<void> {
    try {
      // Particles come first: edges are compiled beside the first picture.
      const isFirst = this.#pictures === 0;
      if (isFirst) await compileView(this.#context!, { box: false });
      view.look = { ...view.look, box: !isFirst && this.#look.box };
      this.#mirror?.update();
      const before = view.done();
      await view.draw(camera);
      const done = view.done();
      this.#onAsked?.({ before, done });
      this.#pictures++;
      if (isFirst) await done;
      this.#onPicture(this.#pictures, this.#drawnStep);
      if (isFirst) await compileView(this.#context!);
      this.#isStale ||= isFirst;
    } catch (error) {
      console.warn(String(error));
    } finally {
      this.#onAsked?.(null);
      this.#isDrawing = false;
    }
  }

  get #colorName(): string {
    return this.#look.color === FORMULA ? this.#look.formula.trim() : this.#look.color;
  }

  #whole({ domain }: Grid): Camera {
    const { images, isOrthographic } = this.#look;
    const aspect = this.#canvas.width / this.#canvas.height;
    return cameraFor(domain, { aspect, images, ...(isOrthographic && { angle: 0 }) });
  }

  #lookFor(grid: Grid): Look {
    const { background, slice, images, size, box, bonds } = this.#look;
    return {
      ...{ background, images, box },
      radius: size * this.#radius,
      bonds: bonds ? this.#bonds : [],
      planes: slice ? slicePlanes(grid.domain, slice, images) : [],
      color: this.#colorFor(grid),
    };
  }

  #colorFor(grid: Grid): 'type' | Coloring {
    const { color, formula } = this.#look;
    const map = this.#look.map as MapName;
    if (color === 'speed' && !this.#isStreamed) return { field: color, map, functor: speedOf };
    if (color === FORMULA)
      try {
        return { map, ...formulaOf(formula, grid) };
      } catch {
        return 'type'; // the setter tells the user
      }
    return color !== 'type' && grid.hasField(color) ? { field: color, map } : 'type';
  }
}

interface ShowOptions {
  readonly isStreamed?: boolean;
  readonly bonds?: readonly Bonded[];
}

const sameBox = (one: Grid, other: Grid): boolean =>
  one.domain.matrix.every((length, k) => Math.abs(length - other.domain.matrix[k]!) < 1e-9);
