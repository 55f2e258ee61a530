import type { BatchNode, GraphNode } from '../Simulation.js';
import { locationOf, type MapEntry, type SourceNode } from '../yaml/SourceNode.js';

/** A batch in which nothing runs. */
export const emptyBatch = (name: string, place: SourceNode | MapEntry): BatchNode => ({
  kind: 'batch',
  name,
  body: [],
  location: locationOf(place),
});

/** Whether an operator of a node can end the loop around it. */
export function endsLoop(node: GraphNode): boolean {
  if (node.kind === 'operator') return node.definition.endsLoop === true;
  return node.body.some(endsLoop);
}

/** A node whose operators count for a batch around them. */
export function profiledAs<N extends GraphNode>(node: N, around: readonly string[]): N {
  if (node.kind === 'operator') return { ...node, profiledAs: [...new Set(around)].join('/') };
  return { ...node, body: node.body.map((one) => profiledAs(one, around)) };
}
