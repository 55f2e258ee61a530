/** The slot of writers that take fields of one's own. */
export const propertiesSlot = {
  type: 'list',
  of: { type: 'string' },
  default: [],
  doc: 'fields of your own (particle_properties) that are written too',
} as const;
