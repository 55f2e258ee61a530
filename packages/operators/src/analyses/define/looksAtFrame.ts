import { GROUP_MASK } from '../../sets/group/Groups.js';

/** What particles of a frame have. Fields that analyses leave in them are not among it. */
const frameFields = [
  ...['position', 'velocity', 'force', 'type', 'mass', 'charge', 'id', 'image'],
  GROUP_MASK,
];

/**
 * Declares that an operator reads the particles of a frame and writes these fields alone: analyses that write different ones may run
 * beside each other.
 */
export const looksAtFrame = (...writes: readonly string[]) => ({ reads: frameFields, writes });

/** Declares that an operator reads and writes slots alone. */
export const slotsAlone = { reads: [], writes: [] } as const;
