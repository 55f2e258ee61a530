/** Names of the outputs of a pair call that are summed over all particles, in their order. */
export const totalsOf = ({
  outputs,
}: {
  readonly outputs: Readonly<Record<string, string>>;
}): string[] =>
  Object.keys(outputs).filter((name) => outputs[name] === 'total' || outputs[name] === 'both');
