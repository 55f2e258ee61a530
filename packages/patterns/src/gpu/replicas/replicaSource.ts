import {
  type KernelBuffer,
  type KernelSource,
  type ParamType,
  paramBytes,
  type StageRecord,
  wholeBody,
} from '../device/GpuKernel.js';
import { PARAM_ALIGNMENT } from '../device/paramSlots.js';
import { bytesOfRow } from '../device/segmentedKernel.js';
import { meetingBuffer } from '../resident/meetingText.js';
import { MOST_UNIFORM_BYTES } from '../resident/residentSource.js';
import type { SeriesForm } from '../resident/seriesForm.js';
import { NEXT_POSITIONS } from '../resident/stageText.js';
import { type ElementAccess, renamed, withElements } from '../wgsl/elements.js';

/** Replicas that a dispatch takes at most. */
export const MOST_REPLICAS = 256;

/** Parameters of a dispatch: which replicas take part, which steps it takes, before which lists are built, and workgroups of a replica. */
const SERIES = {
  replicasA: 'vec4u',
  replicasB: 'vec4u',
  buildsA: 'vec4u',
  buildsB: 'vec4u',
  steps: 'u32',
  met: 'u32',
  slot: 'u32',
  workgroups: 'u32',
} as const satisfies Record<string, ParamType>;

/** The buffer of all parameters of all replicas: a uniform one, if they fit. */
const recordsBuffer = (bytes: number, most: number): KernelBuffer => {
  const isUniform = bytes * most <= MOST_UNIFORM_BYTES;
  return {
    name: 'replicas',
    type: isUniform ? `array<Replica, ${most}>` : 'array<Replica>',
    access: isUniform ? 'uniform' : 'read',
    holds: 'parameters of each replica',
  };
};

/** The parameter that says how many rows of a buffer belong to a replica. */
export const strideName = (name: string): string => `rows_${name}`;

/** Bytes of a row of a buffer. */
export const rowBytes = ({ type }: KernelBuffer): number => bytesOfRow(type);

/** Bytes of the parameters of a replica. */
export const replicaBytes = ({ replicas }: Pick<KernelSource, 'replicas'>): number =>
  replicas!.stages.reduce((sum, { bytes }) => sum + bytes, 0) +
  (replicas!.build ? PARAM_ALIGNMENT : 0);

/**
 * A kernel as one that takes many replicas: simulations of the same kernels, each with particles and parameters of its own. Buffers
 * hold those of all replicas, one after the other, and workgroups are divided between them:
 *
 *   b_velocity   [ replica 0 | replica 1 | … ]      workgroups   [ 0 1 2 3 | 0 1 2 3 | … ]
 *
 * Those of a replica that takes no part have nothing to do.
 *
 * The text is that of the kernel, but for where rows of a replica begin and where its parameters are. Workgroups of one replica meet
 * each other only.
 *
 * @param source a kernel that takes many steps, or one without records of parameters. @param most replicas at most
 */
export function replicaSource(source: KernelSource, most: number): KernelSource {
  const { records, params, functors, workgroupSize } = source;
  const alone: StageRecord = { name: 'P', bytes: paramBytes(params), params, functors };
  const stages = records?.stages ?? [alone];
  const build = records?.build ?? null;
  const buffers = source.buffers.filter(({ name }) => !records || name !== NEXT_POSITIONS);
  const held = buffers.filter(({ name }) => name !== meetingBuffer.name);
  const access = inReplica(held);
  const names = buffers.map(({ name }) => name);
  const body = wholeBody(source);
  return {
    workgroupSize,
    label: `${source.label}, many replicas`,
    about: `${source.about ?? ''}\nMany replicas in one dispatch: each has workgroups, rows and parameters of its own.`,
    replicas: { stages, build },
    buffers: [...buffers, recordsBuffer(replicaBytes({ replicas: { stages, build } }), most)],
    params: {
      ...SERIES,
      ...Object.fromEntries(names.map((name) => [strideName(name), 'u32' as const])),
    },
    declarations: `var<private> replica: u32;
fn takesPart(k: u32) -> bool {
  let bits = select(series.replicasA, series.replicasB, k >= 128u);
  return (bits[(k >> 5u) & 3u] & (1u << (k & 31u))) != 0u;
}
// Rows of the replicas before.
${names.map((name) => `var<private> ${beforeName(name)}: u32;`).join('\n')}
${withElements(source.declarations ?? '', access)}`,
    body: `
  let all = group;
  // The same in all threads of a workgroup, which a variable is not known to be.
  let ownReplica = all / series.workgroups;
  if (!takesPart(ownReplica)) { return; }
  replica = ownReplica;
  ${names.map((name) => `${beforeName(name)} = replica * series.${strideName(name)};`).join('\n  ')}
  {
    let groups3 = vec3u(series.workgroups, 1u, 1u);
    let group = all % series.workgroups;
    let index = group * ${workgroupSize}u + lane;
    ${records ? '' : `P = ${OWN}.P;`}
    ${withElements(records ? body : renamed(body, new Map([['P', `${OWN}.P`]])), access)}
  }`,
  };
}

function beforeName(name: string): string {
  return `before_${name}`;
}

/** Rows of these buffers, after those of the replicas before. */
const inReplica = (buffers: readonly KernelBuffer[]): ReadonlyMap<string, ElementAccess> =>
  new Map(
    buffers.map(({ name }) => [
      name,
      { at: (row) => `${name}[${beforeName(name)} + u32(${row})]` },
    ]),
  );

/** Parameters of a replica, in the body of a kernel and in functions. */
const OWN = 'replicas[ownReplica]';
const OWN_IN_FUNCTIONS = 'replicas[replica]';

/**
 * Steps of a replica: parameters are the same in all of them, but for the record of the list update, and workgroups of a replica meet by a head
 * of their own. Positions end where they began: all threads have read them by then.
 */
export const ofReplica: SeriesForm = {
  firstRecord: OWN,
  record: OWN,
  since: 'series.slot + since',
  hasOwn: 'step == 0u',
  builds: 'select(series.buildsA, series.buildsB, step >= 128u)',
  build: `${OWN}.build`,
  buildInFunctions: `${OWN_IN_FUNCTIONS}.build`,
  head: 'meeting.heads[replica]',
  heads: MOST_REPLICAS,
  firstRow: beforeName(meetingBuffer.name),
  exchanged: null,
};
