import type { ExecutionContext, TraceSlice } from '@corpuscle/patterns';
import { SideFile } from './SideFile.js';

/** Milliseconds between samples of counters. */
const SAMPLE = 50;
/** Events that are written together. */
const PIECE = 1000;

/**
 * A trace in the JSON format of Chrome, which Perfetto reads: a slice for each call of an operator, and counters beside them.
 *
 *   main thread   │ update_neighbors │ lennard_jones_force │ …      operators, with their paths in the graph
 *   thread 1      │ build list │   │ lennard_jones │ …              kernels of each thread, with their operators
 *   device        │ sort: bin │ lennard_jones + kick │ …            kernels, where the device has time stamps
 *   busy cores    ▁▆▆▆                                              processor time of all threads over wall time
 *   device        dispatches, bytes to it and back                  between samples
 *
 * The clock of the device is set by the fastest arrival of its stamps.
 *
 * Events are written as they come; the list is closed at the end, and readers take one that is not.
 */
export class Trace implements Disposable {
  readonly #file: SideFile;
  readonly #ctx: ExecutionContext;
  readonly #began = performance.now();
  #ended = 0;
  #sampled = performance.now();
  #processor = process.cpuUsage();
  #device: { dispatches: number; up: number; down: number } = { dispatches: 0, up: 0, down: 0 };
  #waiting: string[] = [];
  /** Numbers of tracks besides that of operators. */
  readonly #tracks = new Map<string, number>();

  /** @throws CorpuscleError UNWRITABLE */
  constructor(file: string, ctx: ExecutionContext, warn: (message: string) => void) {
    this.#ctx = ctx;
    this.#file = new SideFile(file, { option: '--trace', flags: 'w', warn });
    this.#file.write('[\n');
    this.#nameTrack(0, `main thread of ${ctx.threads} threads, ${ctx.backend}`);
    ctx.trace((slice) => this.#addSlice(slice));
  }

  #nameTrack(tid: number, name: string): void {
    this.#event({ ph: 'M', name: 'thread_name', tid, args: { name } });
    this.#event({ ph: 'M', name: 'thread_sort_index', tid, args: { sort_index: tid } });
  }

  /** A thread or the device has worked. */
  #addSlice(slice: TraceSlice): void {
    const { track } = slice;
    let tid = this.#tracks.get(track);
    if (tid === undefined) {
      tid = this.#tracks.size + 1;
      this.#tracks.set(track, tid);
      this.#nameTrack(tid, track);
    }
    this.#slice(tid, 'kernel', slice, { operator: slice.operator });
  }

  /** An operator has run until now. */
  add(name: string, milliseconds: number, path: string): void {
    const now = performance.now();
    // The first call of an operator counts its preparation, which others may have followed.
    const begin = Math.max(now - milliseconds, this.#ended);
    this.#ended = now;
    this.#slice(0, 'operator', { name, begin, milliseconds: now - begin }, { path });
    if (now - this.#sampled >= SAMPLE) this.#sample(now);
  }

  #slice(
    tid: number,
    cat: 'operator' | 'kernel',
    { name, begin, milliseconds }: Pick<TraceSlice, 'name' | 'begin' | 'milliseconds'>,
    args: object,
  ): void {
    const [ts, dur] = [micro(begin - this.#began), micro(milliseconds)];
    this.#event({ ph: 'X', name, cat, tid, ts, dur, args });
  }

  #sample(now: number): void {
    const busy = process.cpuUsage(this.#processor);
    const cores = (busy.user + busy.system) / (1000 * (now - this.#sampled));
    this.#counter('busy cores', now, { cores: Number(cores.toFixed(2)) });
    this.#sampled = now;
    this.#processor = process.cpuUsage();
    const counters = this.#ctx.device?.counters;
    if (!counters) return;
    const { dispatches, uploadedBytes: up, downloadedBytes: down } = counters;
    const before = this.#device;
    this.#device = { dispatches, up, down };
    this.#counter('device dispatches', now, { dispatches: dispatches - before.dispatches });
    this.#counter('device bytes', now, { up: up - before.up, down: down - before.down });
  }

  #counter(name: string, now: number, args: object): void {
    this.#event({ ph: 'C', name, ts: micro(now - this.#began), args });
  }

  #event(event: object): void {
    this.#waiting.push(JSON.stringify({ pid: 1, ...event }));
    if (this.#waiting.length >= PIECE) this.#flush(',\n');
  }

  #flush(end: string): void {
    this.#file.write(`${this.#waiting.join(',\n')}${end}`);
    this.#waiting = [];
  }

  /** Waits for what the device still has to tell. */
  async finish(): Promise<void> {
    await this.#ctx.device?.profile();
  }

  /** Closes the list and the file. */
  [Symbol.dispose](): void {
    this.#sample(performance.now());
    this.#flush('\n]\n');
    this.#file.close();
  }
}

const micro = (milliseconds: number): number => Number((1000 * milliseconds).toFixed(1));
