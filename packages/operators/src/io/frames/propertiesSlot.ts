/** The slot of writers that take fields of one's own; `keepsColumn` as in `FrameWriterSpec`. */
export const propertiesSlot = ({ keepsColumn }: { readonly keepsColumn?: unknown }) =>
  ({
    type: 'list',
    of: { type: 'string' },
    doc: `fields of your own (particle_properties), and columns that the file of the particles had, that are written too; default ${keepsColumn ? 'these columns' : 'none'}`,
  }) as const;
