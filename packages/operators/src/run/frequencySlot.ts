/**
 * The slot of operators that run only sometimes, to be named by `every`.
 *
 * @param what what an execution makes, in the plural
 */
export const frequencySlot = (what: string) =>
  ({
    type: 'integer',
    min: 1,
    mayChange: true,
    doc: `steps between ${what}; default: one whenever the operator runs`,
  }) as const;
