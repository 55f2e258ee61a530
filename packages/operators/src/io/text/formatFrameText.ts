import { extendedXyzPieces } from '../extended_xyz/formatExtendedXyz.js';
import { formatLammpsDump } from '../lammps_dump/formatLammpsDump.js';
import type { FormatRequest } from './FormatThread.js';

/** The text of a frame in pieces. */
export const formatFrameText = (request: FormatRequest): Iterable<Uint8Array> =>
  request.format === 'extended_xyz'
    ? extendedXyzPieces(request.frame)
    : formatLammpsDump(request.frame, request.columns);
