import { type BatchNode, branchesOf, type GraphNode } from '@corpuscle/core';
import { exitCode } from '../exitCodes.js';
import type { InputOptions } from '../program/options.js';
import type { Streams } from '../Streams.js';
import { loadInput } from './loadInput.js';

export interface GraphOptions extends InputOptions {
  readonly format: 'text' | 'mermaid' | 'dot';
  readonly json: boolean;
}

/** `corpuscle graph`: the operators of a simulation in the order in which they run. */
export async function graph(
  files: readonly string[],
  options: GraphOptions,
  streams: Streams,
): Promise<number> {
  const { root } = await loadInput(files, options, streams);
  if (options.json) {
    streams.out(`${JSON.stringify(recordOf(root), null, 2)}\n`);
    return exitCode.done;
  }
  const draw = { text: drawText, mermaid: drawMermaid, dot: drawDot }[options.format];
  streams.out(draw(root));
  return exitCode.done;
}

/** A node for programs: operators with their paths and places, batches with what they say and their bodies. */
function recordOf(node: GraphNode): object {
  const { location } = node;
  const place = location && { file: location.file, line: location.line, column: location.column };
  if (node.kind === 'operator')
    return {
      ...{ operator: node.definition.name, path: node.path },
      ...(node.backend !== undefined && { backend: node.backend }),
      ...place,
    };
  return {
    batch: node.name,
    ...(node.condition && { condition: node.condition.text }),
    ...(node.loop && { loop: node.loop === true || node.loop.text }),
    ...(node.parallel && { parallel: true }),
    ...place,
    body: node.parallel
      ? branchesOf(node).map(({ node, waitsFor }) => ({ ...recordOf(node), waitsFor }))
      : node.body.map(recordOf),
  };
}

function title(node: GraphNode): string {
  if (node.kind === 'operator') {
    const { definition, backend } = node;
    return backend === undefined ? definition.name : `${definition.name} [${backend}]`;
  }
  const loop = node.loop === true ? ' (loop)' : node.loop ? ` (${node.loop.text} times)` : '';
  const when = node.condition ? ` while ${node.condition.text}` : '';
  return `${node.name}${node.parallel ? ' (parallel)' : ''}${loop}${when}`;
}

function drawText(root: BatchNode): string {
  const lines: string[] = [];
  const walk = (node: GraphNode, depth: number, note = '') => {
    lines.push(`${'  '.repeat(depth)}${title(node)}${note}`);
    if (node.kind === 'operator') return;
    if (!node.parallel) for (const child of node.body) walk(child, depth + 1);
    else
      for (const branch of branchesOf(node))
        walk(branch.node, depth + 1, ` │ ${branch.reason || 'at once'}`);
  };
  walk(root, 0);
  return `${lines.join('\n')}\n`;
}

/** Boxes in boxes; arrows give the order within a batch. */
function drawMermaid(root: BatchNode): string {
  const lines = ['flowchart TD'];
  let next = 0;
  const walk = (node: GraphNode, indent: string): string => {
    const id = `n${next++}`;
    if (node.kind === 'operator') {
      lines.push(`${indent}${id}["${title(node)}"]`);
      return id;
    }
    lines.push(`${indent}subgraph ${id}["${title(node)}"]`);
    const ids = node.body.map((child) => walk(child, `${indent}  `));
    if (ids.length > 1) lines.push(`${indent}  ${ids.join(' --> ')}`);
    lines.push(`${indent}end`);
    return id;
  };
  walk(root, '  ');
  return `${lines.join('\n')}\n`;
}

function drawDot(root: BatchNode): string {
  const lines = ['digraph simulation {', '  node [shape=box];'];
  const order: string[] = [];
  let next = 0;
  const walk = (node: GraphNode, indent: string) => {
    const id = next++;
    if (node.kind === 'operator') {
      lines.push(`${indent}n${id} [label="${title(node)}"];`);
      order.push(`n${id}`);
      return;
    }
    lines.push(`${indent}subgraph cluster_${id} {`, `${indent}  label="${title(node)}";`);
    for (const child of node.body) walk(child, `${indent}  `);
    lines.push(`${indent}}`);
  };
  walk(root, '  ');
  if (order.length > 1) lines.push(`  ${order.join(' -> ')};`);
  return `${lines.join('\n')}\n}\n`;
}
