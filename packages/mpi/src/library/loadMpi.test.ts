import { expect, it } from 'vitest';
import { libraryNames } from './loadMpi.js';

it('looks for the library of the launcher first', () => {
  expect(libraryNames({ OMPI_COMM_WORLD_RANK: '0', PMI_RANK: '0' })[0]).toBe('libmpi.so.40');
  expect(libraryNames({ PMI_RANK: '0' })[0]).toBe('libmpich.so.12');
  expect(libraryNames({})[0]).toBe('libmpi.so.40');
});

it('takes the file that is named, and no other', () => {
  expect(libraryNames({ CORPUSCLE_MPI: '/opt/mpi/lib/libmpi.so' })).toEqual([
    '/opt/mpi/lib/libmpi.so',
  ]);
});
