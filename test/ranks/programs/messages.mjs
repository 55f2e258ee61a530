// Every way of exchanging numbers, on any number of ranks. Rank 0 prints what it has found as JSON.
import { joinRanks } from '@corpuscle/mpi';

const ranks = await joinRanks();
const { rank, size } = ranks;

/** Bytes that tell from whom to whom they go. */
const letter = (from, to, length) => new Uint8Array(length).map((_, k) => 31 * from + 7 * to + k);
const isLetter = (bytes, from, to, length) =>
  bytes.length === length && bytes.every((byte, k) => byte === ((31 * from + 7 * to + k) & 255));

const gathered = [...ranks.gather(Float64Array.of(rank, 0.1 * rank))];
const sums = [...ranks.sum(Float64Array.of(1, rank, 0.1 * rank))];

// Lengths that differ, and are 0 for some pairs; a rank sends to itself too.
const lengthOf = (from, to) => (from === to ? 3 : 1000 * ((from + 2 * to) % 3));
const everyone = Array.from({ length: size }, (_, other) => other);
const received = ranks.exchange(everyone.map((to) => letter(rank, to, lengthOf(rank, to))));
const arrived = received.every((bytes, from) => isLetter(bytes, from, rank, lengthOf(from, rank)));

// A ring whose messages are under way while something else is done, large enough for a rendezvous.
const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
const inbox = new Uint8Array(300_000);
const transfer = ranks.start(
  [{ rank: next, bytes: letter(rank, next, 300_000) }],
  [{ rank: before, bytes: inbox }],
);
const meanwhile = ranks.sum(Float64Array.of(1))[0];
transfer.wait();
const ring = isLetter(inbox, before, rank, 300_000);

const good = ranks.sum(Float64Array.of(Number(arrived), Number(ring), Number(meanwhile === size)));
if (rank === 0) console.log(JSON.stringify({ size, gathered, sums, good: [...good] }));
ranks.close();
