/** Ids of particles. */
export const idTypes = [
  { type: 'list', of: { type: 'integer' } },
  {
    type: 'map',
    entries: {
      first: { type: 'integer', required: true, doc: 'first id' },
      last: { type: 'integer', required: true, doc: 'last id' },
      stride: { type: 'integer', default: 1, doc: 'step between ids' },
    },
  },
] as const;

/** The type of slots that name particles: see `Group`. */
export const groupType = { type: 'any_of', options: [{ type: 'string' }, ...idTypes] } as const;
