import type { BatchNode, GraphNode, OperatorNode } from '@corpuscle/core';

/** All loops of a graph, those within others too. */
export const loopsIn = (node: GraphNode): BatchNode[] =>
  node.kind === 'operator'
    ? []
    : [...(node.loop === undefined ? [] : [node]), ...node.body.flatMap(loopsIn)];

/** Operators of the passes of a loop, but for those of loops within it. */
export const ofPasses = ({ body }: BatchNode): OperatorNode[] =>
  body.flatMap((node) => {
    if (node.kind === 'operator') return [node];
    return node.loop === undefined ? ofPasses(node) : [];
  });

/** Those that each pass executes whatever happens, once. Those of batches with a condition may stand in for each other. */
export const ofEveryPass = ({ body }: BatchNode): OperatorNode[] =>
  body.flatMap((node) => {
    if (node.kind === 'operator') return [node];
    return node.condition || node.loop ? [] : ofEveryPass(node);
  });
