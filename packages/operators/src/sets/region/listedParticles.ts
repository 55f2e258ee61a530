const id = { type: 'integer', min: 0, max: 2 ** 32 - 1 } as const;

/** How regions and groups name particles one by one. */
export const listedParticles = {
  types: {
    type: 'list',
    of: { type: 'particle_type' },
    minLength: 1,
    doc: 'particles of these types',
  },
  ids: {
    type: 'any_of',
    options: [
      { type: 'list', of: id, minLength: 1 },
      {
        type: 'map',
        entries: {
          first: { ...id, required: true, doc: 'first id' },
          last: { ...id, required: true, doc: 'last id' },
          stride: { type: 'integer', min: 1, default: 1, doc: 'step between ids' },
        },
      },
    ],
    doc: 'particles of these ids: a list, or { first, last, stride }',
  },
} as const;
