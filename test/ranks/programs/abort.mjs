// The last rank ends the run while the others wait for it.
import { joinRanks } from '@corpuscle/mpi';

const ranks = await joinRanks();
if (ranks.rank === ranks.size - 1) ranks.abort(7);
ranks.sum(Float64Array.of(1));
console.log('never');
