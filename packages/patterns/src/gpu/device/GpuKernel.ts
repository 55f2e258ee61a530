import type { ResidentTwin } from '../resident/ResidentTwin.js';
import { bytesOf, PARAM_ALIGNMENT, paramSlots } from './paramSlots.js';
import { type ParamWriter, paramWriter } from './paramWriter.js';

/** Types of kernel parameters; vectors of four are given as arrays, a `vec2f` as the number it stands for (high, low). */
export type ParamType = 'u32' | 'i32' | 'f32' | 'vec2f' | 'vec4u' | 'vec4i' | 'vec4f';

export interface KernelBuffer {
  readonly name: string;
  /** WGSL type, e.g. `array<vec4f>`. */
  readonly type: string;
  readonly access: 'read' | 'read_write' | 'uniform';
  /** What it holds, for readers of the text; by default what the glossary says of its name. */
  readonly holds?: string;
}

/**
 * Records of a kernel that takes many steps: for each kernel of a step its parameters, by a name. The kernel sets these itself.
 * What builds lists between two steps has the same parameters each time, `series.build`.
 */
export interface StepRecords {
  readonly most: number;
  readonly stages: readonly StageRecord[];
  readonly build: Pick<KernelSource, 'params'> | null;
}

/** Parameters of a kernel of a step: `P` of the pair kernel, `P1` of the second if it is another. */
export interface StageRecord extends Pick<KernelSource, 'params' | 'functors'> {
  readonly name: string;
  readonly bytes: number;
}

/** Parameters of the replicas that one dispatch takes together: each has those that its own dispatches would have, in a storage buffer. */
export type ReplicaRecords = Pick<StepRecords, 'stages' | 'build'>;

/** A compute shader before compilation. Bindings and parameters are declared by `kernelText`, not in its code. */
export interface KernelSource {
  /** Operation and step, for errors and profiles: `lennard_jones: pairs`. */
  readonly label: string;
  /** What it is for and what its stages are, for readers of the text. */
  readonly about?: string;
  /** Functors by the mark that their parameters begin with, where there are several. */
  readonly functors?: Readonly<Record<string, string>>;
  readonly workgroupSize: number;
  /** Threads that share a particle, of pair kernels. */
  readonly lanes?: number;
  /** Results of which its workgroups leave partial ones, of pair kernels. */
  readonly results?: number;
  readonly buffers: readonly KernelBuffer[];
  /** Members of the uniform `P`, reached as `P.name`. */
  readonly params: Readonly<Record<string, ParamType>>;
  /** Where the kernel takes many steps: what records of parameters it finds. */
  readonly records?: StepRecords;
  /** Where it takes many replicas: `params` are those of the dispatch, reached as `series.name`, and each replica has these besides. */
  readonly replicas?: ReplicaRecords;
  /** Declarations: structs, functions, workgroup variables. */
  readonly declarations?: string;
  /** Before the body, of kernels over values: statements that need nothing of what other workgroups leave. */
  readonly early?: string;
  /** Body of the entry point; `group`, `lane` and `index` = group · workgroupSize + lane are in scope. */
  readonly body: string;
  /** Statements of the body that load rows of particle `index`, and need nothing else of it. */
  readonly loads?: readonly string[];
  /** After the body: what one thread does for its workgroup when all others have come there. */
  readonly late?: string;
}

/** A kernel whose texts are other ones. */
export const withTexts = (source: KernelSource, of: (text: string) => string): KernelSource => ({
  ...source,
  declarations: of(source.declarations ?? ''),
  ...(source.early !== undefined && { early: of(source.early) }),
  body: of(source.body),
  ...(source.late !== undefined && { late: of(source.late) }),
});

/** What its entry point does. */
export const wholeBody = ({ early = '', body, late }: KernelSource): string =>
  late === undefined
    ? early + body
    : `${early}${body}
  workgroupBarrier();
  if (lane == 0u) {${late}
  }`;

/** Part of a kernel that may be taken into another: names of its buffers are those of that one. */
export type KernelStage = Pick<KernelSource, 'buffers' | 'params' | 'body'> & {
  readonly declarations: string;
};

export interface ParamSlot {
  readonly name: string;
  readonly type: ParamType;
  /** Where it begins in the record. */
  readonly word: number;
}

export type KernelParams = Readonly<Record<string, number | readonly number[]>>;

/** Parameters that say where a kernel notes displacements. */
const NOTED = ['slot', 'list', 'mostFast', 'tau2'];

/** Bytes before the records of a kernel that takes many steps: how many there are, and what builds lists between them. */
export const HEADER_BYTES = 2 * PARAM_ALIGNMENT;
/** Largest record of parameters; a header may come before it. */
export const MOST_PARAM_BYTES = 1024;

/** Buffers of a kernel, as a device binds them. */
export interface BoundGroup {
  readonly buffers: readonly GPUBuffer[];
  readonly group: GPUBindGroup;
  /** Of the kernel, or of the one that sees large buffers in segments. */
  readonly pipeline: GPUComputePipeline;
  /** The same with two buffers in each other's places, where that was asked for, and which two. */
  other?: { readonly bound: BoundGroup; readonly pair: readonly GPUBuffer[] };
}

/** What a device has compiled of a text. */
export interface CompiledText {
  readonly pipeline: GPUComputePipeline;
  /** The buffers, and after them the uniform record at a dynamic offset. */
  readonly bufferLayout: GPUBindGroupLayout;
  /** Its number among the texts of the device: the same for kernels of the same text, of whatever engine. */
  readonly number: number;
}

/** A compiled compute shader, as an engine uses it. */
export class GpuKernel {
  readonly label: string;
  readonly source: KernelSource;
  /** See `CompiledText`. */
  readonly number: number;
  readonly pipeline: GPUComputePipeline;
  readonly bufferLayout: GPUBindGroupLayout;
  readonly workgroupSize: number;
  /** Room for its parameters in the uniform buffer. */
  readonly paramBytes: number;
  /** Whether the last of its buffers are the values of the context, which callers leave out. */
  readonly usesValues: boolean;
  /** Bind groups and the buffers they hold: few, since kernels see the same ones again and again. */
  readonly bound: BoundGroup[] = [];
  /** Its text for so many workgroups, where it may be part of a step of a dispatch that takes many. */
  stage: ((workgroups: number) => KernelSource) | null = null;
  /** What takes many steps that it ends in one dispatch; null where it ends none. */
  twins: ResidentTwin[] | null = null;
  /** Its text, where it builds lists and may come between two steps of such a dispatch. */
  build: KernelStage | null = null;
  /** Whether functors in it have loops of their own, which may have no end: those of the engine are `for` loops. */
  readonly hasLoops: boolean;
  /** Number of the submit that it was last recorded for, and the operator. */
  usedIn = -1;
  usedBy = '';
  /** Writes where it notes displacements, which changes in every step; null where it notes none. */
  readonly writeNoted: ParamWriter | null;
  readonly #slots: readonly ParamSlot[];
  readonly #write: ParamWriter;

  constructor(source: KernelSource, { number, pipeline, bufferLayout }: CompiledText) {
    this.label = source.label;
    this.source = source;
    this.workgroupSize = source.workgroupSize;
    this.number = number;
    this.pipeline = pipeline;
    this.bufferLayout = bufferLayout;
    this.paramBytes = uniformBytes(source);
    this.hasLoops = /\bloop \{/.test(`${source.declarations} ${wholeBody(source)}`);
    this.usesValues = source.buffers.at(-1)?.name === 'values';
    this.#slots = paramSlots(source.params);
    this.#write = paramWriter(source.label, this.#slots);
    this.writeNoted = source.params.slot ? this.writerOf(NOTED) : null;
  }

  /** A record of its parameters, as short as can be. */
  newRecord(): ParamRecord {
    let bytes = 0;
    for (const { type } of this.#slots) bytes += bytesOf(type);
    return new ParamRecord(bytes);
  }

  /** Where a parameter begins in the record. */
  wordOf(name: string): number {
    return this.#slots.find((slot) => slot.name === name)!.word;
  }

  /** What writes these of its parameters alone; names that it lacks are left out. */
  writerOf(names: readonly string[]): ParamWriter {
    const slots = this.#slots.filter(({ name }) => names.includes(name));
    return paramWriter(this.label, slots);
  }

  /** Writes parameters at a byte offset of a uniform record. */
  writeParams({ f32, u32 }: ParamRecord, base: number, values: KernelParams): void {
    this.#write(f32, u32, base >> 2, values);
  }
}

/** Memory for uniform records, seen as floats and as words. WebGPU and its hosts are little endian. */
export class ParamRecord {
  readonly buffer: ArrayBuffer;
  readonly f32: Float32Array;
  readonly u32: Uint32Array;

  constructor(bytes: number) {
    this.buffer = new ArrayBuffer(bytes);
    this.f32 = new Float32Array(this.buffer);
    this.u32 = new Uint32Array(this.buffer);
  }

  /** Copies a shorter record to a byte offset. */
  take({ u32: words }: ParamRecord, base: number): void {
    const { u32 } = this;
    const first = base >> 2;
    // There are too few of them for a call of `set` to pay.
    for (let k = 0; k < words.length; k++) u32[first + k] = words[k]!;
  }
}

/** Bytes of its uniform buffer. */
export const uniformBytes = ({ params, records }: KernelSource): number =>
  records
    ? HEADER_BYTES + records.most * records.stages.reduce((sum, { bytes }) => sum + bytes, 0)
    : paramBytes(params);

export function paramBytes(params: KernelSource['params']): number {
  const bytes = recordBytes(params);
  if (bytes > MOST_PARAM_BYTES) throw new Error(`${bytes} bytes of parameters are too many`);
  return Math.ceil(bytes / PARAM_ALIGNMENT) * PARAM_ALIGNMENT;
}

function recordBytes(params: KernelSource['params']): number {
  let bytes = 4; // a record has one member at least
  for (const type of Object.values(params)) bytes += bytesOf(type);
  return bytes;
}

/** Whether a kernel has no more parameters and buffers than one may have. */
export const mayBeOne = ({ params, buffers }: KernelSource, mostBuffers: number): boolean =>
  recordBytes(params) <= MOST_PARAM_BYTES && buffers.length <= mostBuffers;
