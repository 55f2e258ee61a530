import { indented } from '../../engine/indented.js';
import {
  type KernelBuffer,
  type KernelSource,
  type ReplicaRecords,
  type StepRecords,
  wholeBody,
} from './GpuKernel.js';
import { bufferMeaning, paramMeaning } from './kernelGlossary.js';
import { PARAM_ALIGNMENT, paramSlots } from './paramSlots.js';
import { usedDeclarations } from './usedDeclarations.js';

/**
 * The complete WGSL text of a kernel, as the device compiles it:
 *
 *   what it does, stage by stage  │  parameters and buffers with their meaning  │  declarations that it uses  │  main
 */
export function kernelText(source: KernelSource): string {
  const { label, about, declarations = '', workgroupSize } = source;
  const body = wholeBody(source);
  const header = [label.trim(), ...(about ? ['', ...about.split('\n')] : [])];
  const bindings = `${paramsText(source)}

${source.buffers.map(bindingText).join('\n')}`;
  const text = `${header.map((line) => `// ${line}`.trimEnd()).join('\n')}

${bindings}

${usedDeclarations(declarations, `${bindings}\n${body}`)}

${mainText(workgroupSize, body)}`;
  return `${indented(text)}\n`;
}

/** The entry point, with the numbers of thread and workgroup that it uses. */
function mainText(workgroupSize: number, body: string): string {
  const code = body.replace(/\/\/.*$/gm, '');
  const uses = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);
  const usesGroup = uses('group') || uses('index');
  const given = [
    ...(usesGroup ? ['@builtin(workgroup_id) group3: vec3u'] : []),
    ...(usesGroup || uses('groups3') ? ['@builtin(num_workgroups) groups3: vec3u'] : []),
    ...(uses('lane') || uses('index') ? ['@builtin(local_invocation_index) lane: u32'] : []),
  ];
  return `@compute @workgroup_size(${workgroupSize})
fn main(${given.join(', ')}) {
${usesGroup ? 'let group = group3.x + group3.y * groups3.x;' : ''}
${uses('index') ? `let index = group * ${workgroupSize}u + lane;` : ''}

${body}
}`;
}

function paramsText(source: KernelSource): string {
  const { params, buffers, functors, records, replicas } = source;
  const at = `@group(0) @binding(${buffers.length}) var<uniform>`;
  if (replicas)
    return `${recordsText(replicas)}
struct Replica { ${replicas.stages.map(({ name }) => `${name}: ${recordName(name)},`).join(' ')}${replicas.build ? ' build: Build,' : ''} }
${structText('Series', params, functors)}
${at} series: Series;
${presentText(replicas.stages)}`;
  if (!records) return `${structText('Params', params, functors)}\n${at} P: Params;`;
  const { most, stages, build } = records;
  return `${recordsText(records)}
struct Step { ${stages.map(({ name }) => `${name}: ${recordName(name)},`).join(' ')} }
struct Series {
steps: u32,
@size(8) met: u32, // how often workgroups have met before
exchanged: u32, // 1: positions go to the other buffer in the end
builds: array<vec4u, 2>, // bit k: lists are built before step k
@size(${PARAM_ALIGNMENT - 48}) own: array<vec4u, 2>, // bit k: step k has the next record; others differ in \`slot\` from the step before
@size(${PARAM_ALIGNMENT}) build: ${build ? 'Build' : 'vec4u'},
records: array<Step, ${most}>,
}
${at} series: Series;
${presentText(stages)}`;
}

/** Structs of the parameters of each kernel of a step, and of what builds lists between steps. */
const recordsText = ({ stages, build }: ReplicaRecords): string =>
  [
    ...stages.map((one) => structText(recordName(one.name), one.params, one.functors, one.bytes)),
    build ? structText('Build', build.params, undefined, PARAM_ALIGNMENT) : '',
  ].join('\n');

const presentText = (
  stages: StepRecords['stages'],
): string => `// Parameters of the present step, one record for each of its kernels.
${stages.map(({ name }) => `var<private> ${name}: ${recordName(name)};`).join('\n')}`;

/** The struct of the parameters `P`, `P1`, … */
const recordName = (name: string): string => name.replace('P', 'Params');

/** @param bytes that the struct fills, by its last member; as few as can be where none are given. */
function structText(
  name: string,
  params: KernelSource['params'],
  functors: KernelSource['functors'],
  bytes = 0,
): string {
  const slots = paramSlots(params);
  const members = slots.map(({ name, type, word }, k) => {
    const size = bytes > 0 && k === slots.length - 1 ? `@size(${bytes - 4 * word}) ` : '';
    return remarked(`${size}${name}: ${type},`, paramMeaning(name, functors));
  });
  return `struct ${name} {
${members.join('\n') || 'unused: u32,'}
}`;
}

const bindingText = ({ name, type, access, holds }: KernelBuffer, binding: number): string =>
  remarked(
    `@group(0) @binding(${binding}) var<${access === 'uniform' ? access : `storage, ${access}`}> ${name}: ${type};`,
    holds ?? bufferMeaning(name),
  );

const remarked = (text: string, meaning: string): string =>
  meaning ? `${text} // ${meaning}` : text;
