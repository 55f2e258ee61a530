import {
  type KernelBuffer,
  type KernelSource,
  type ParamType,
  paramBytes,
  type StageRecord,
} from '../device/GpuKernel.js';
import { PARAM_ALIGNMENT } from '../device/paramSlots.js';
import { bytesOfRow, closingBracket } from '../device/segmentedKernel.js';
import { meetingBuffer } from '../resident/meetingText.js';
import { MOST_UNIFORM_BYTES } from '../resident/residentSource.js';
import { NEXT_POSITIONS } from '../resident/stageText.js';

/** Replicas that a dispatch takes at most. */
export const MOST_REPLICAS = 256;

/** Words before the rows of meetings for each replica, which lie in a line of a cache of their own, and bytes of all. */
export const HEAD_WORDS = 32;
export const HEADS = 4 * HEAD_WORDS * MOST_REPLICAS;

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
  const ofReplica = (text: string): string => inReplica(ofSeries(text), held);
  const names = buffers.map(({ name }) => name);
  const { declarations = '', body } = source;
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
${ofReplica(declarations)}`,
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
    ${records ? '' : 'P = replicas[ownReplica].P;'}
    ${ofReplica(records ? body : body.replace(/\bP\./g, 'replicas[replica].P.')).replaceAll('replicas[replica]', 'replicas[ownReplica]')}
  }`,
  };
}

const beforeName = (name: string): string => `before_${name}`;

/** Parameters are the same in all steps, but for the record of the list update; the header is another. */
const ofSeries = (text: string): string =>
  text
    .replace(/series\.records\[(?:0|record)\]\./g, 'replicas[replica].')
    .replace(/\.slot \+ since/g, '.slot + series.slot + since')
    .replace(/\.slot \+= since/g, '.slot += series.slot + since')
    .replace(/isMarked\(series\.own\[step >> 7u\], step\)/g, 'step == 0u')
    .replace(
      /series\.builds\[step >> 7u\]/g,
      'select(series.buildsA, series.buildsB, step >= 128u)',
    )
    .replace(/series\.build\./g, 'replicas[replica].build.')
    // Positions end where they began: all threads have read them by then.
    .replace(/let isExchanged = .*/, '')
    .replace(/if \(isExchanged\) \{[^}]*\} else \{ (.*) \}/, '$1')
    // Workgroups of a replica meet by a counter of their own.
    .replace(
      /struct Meeting \{(.*), rows: array<vec4u> \}/,
      `struct Head {$1 }\nstruct Meeting { heads: array<Head, ${MOST_REPLICAS}>, rows: array<vec4u> }`,
    )
    .replace(/\bmeeting\.(met|failed)\b/g, 'meeting.heads[replica].$1')
    .replace(/\bmeeting\.rows\[/g, `meeting.rows[${beforeName(meetingBuffer.name)} + `);

/** Rows of these buffers, after those of the replicas before. */
function inReplica(text: string, buffers: readonly KernelBuffer[]): string {
  const reach = new RegExp(`(?<![\\w.])(${buffers.map(({ name }) => name).join('|')})\\[`, 'g');
  let out = '';
  let at = 0;
  for (let found = reach.exec(text); found; found = reach.exec(text)) {
    const close = closingBracket(text, reach.lastIndex - 1);
    const row = inReplica(text.slice(reach.lastIndex, close), buffers);
    out += `${text.slice(at, found.index)}${found[1]}[${beforeName(found[1]!)} + u32(${row})]`;
    at = close + 1;
    reach.lastIndex = at;
  }
  return out + text.slice(at);
}
