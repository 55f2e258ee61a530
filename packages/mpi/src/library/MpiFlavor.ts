import type { Foreign } from './Foreign.js';

/**
 * What differs between the binary interfaces of MPI libraries. Everything is sent as bytes and summed by the receivers, so that
 * one communicator and one data type are all that must be known.
 */
export interface MpiFlavor {
  readonly name: 'Open MPI' | 'MPICH' | 'the standard ABI';
  /** The type of handles in C: a pointer, or an int. */
  readonly handle: 'void *' | 'int';
  readonly world: bigint | number;
  readonly byte: bigint | number;
  /** `MPI_STATUSES_IGNORE`. */
  readonly statusesIgnore: bigint;
  /** Bytes of an `MPI_Request`. */
  readonly requestBytes: 4 | 8;
}

/**
 * Tells how a library wants to be spoken to:
 *
 *   Open MPI           handles are addresses of objects that the library exports
 *   MPICH and its kin  handles are integers of 32 bits, fixed since 2003
 *   standard ABI       handles are small integers in the guise of pointers (MPI 5.0, chapter 20)
 */
export function flavorOf(library: Foreign, fileName: string): MpiFlavor {
  const world = library.find('ompi_mpi_comm_world');
  const byte = library.find('ompi_mpi_byte');
  if (world !== null && byte !== null)
    return {
      name: 'Open MPI',
      handle: 'void *',
      world,
      byte,
      statusesIgnore: 0n,
      requestBytes: 8,
    };
  if (/abi/.test(fileName))
    return {
      name: 'the standard ABI',
      handle: 'void *',
      world: 0x101n,
      byte: 0x247n,
      statusesIgnore: 0n,
      requestBytes: 8,
    };
  return {
    name: 'MPICH',
    handle: 'int',
    world: 0x44000000,
    byte: 0x4c00010d,
    statusesIgnore: 1n,
    requestBytes: 4,
  };
}
