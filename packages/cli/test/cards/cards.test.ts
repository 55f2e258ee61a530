import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cardsOf } from '../../src/cards/cardsOf.js';
import { chooseCard } from '../../src/cards/chooseCard.js';
import { hideFiles } from '../../src/cards/hideCards.js';
import { localRank } from '../../src/ranks/launchedRanks.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-cards-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [devices, driver] = ['dev', 'gpus'].map((name) => join(folder, name)) as [string, string];
mkdirSync(devices);
for (const name of ['nvidia10', 'nvidia0', 'nvidia2', 'nvidiactl', 'nvidia-uvm', 'null'])
  writeFileSync(join(devices, name), 'node');
mkdirSync(join(driver, '0000:65:00.0'), { recursive: true });
const told = 'Model: \t\t NVIDIA H200\nBus Type: \t PCIe\nDevice Minor: \t 2\n';
writeFileSync(join(driver, '0000:65:00.0', 'information'), told);

const cards = cardsOf(devices, driver);

it('finds the cards of a machine by their device nodes, in the order of numbers', () => {
  expect(cards.map(({ number, model }) => [number, model])).toEqual([
    [0, null],
    [2, 'NVIDIA H200'],
    [10, null],
  ]);
  expect(cardsOf(join(folder, 'nowhere'))).toEqual([]);
});

describe('the card of a rank', () => {
  const numberOf = (asked: string | undefined, local: number) =>
    chooseCard(cards, asked, local)?.number;

  it('is that of its number on the machine, or of those that CORPUSCLE_DEVICE names', () => {
    expect([0, 1, 2, 3].map((local) => numberOf(undefined, local))).toEqual([0, 2, 10, 0]);
    expect([0, 1, 2].map((local) => numberOf('10, 2', local))).toEqual([10, 2, 10]);
    expect(chooseCard([], '5', 0)).toBeNull();
  });

  it('must be there', () => {
    expect(() => numberOf('1', 0)).toThrow(
      "CORPUSCLE_DEVICE names card '1', which is not here: give numbers of 0, 2, 10, with commas between them",
    );
  });

  it('follows from what launchers say', () => {
    expect(localRank({ OMPI_COMM_WORLD_LOCAL_RANK: '3' })).toBe(3);
    expect(localRank({ MPI_LOCALRANKID: '1' })).toBe(1);
    expect(localRank({ SLURM_LOCALID: '2' })).toBe(2);
    expect(localRank({})).toBe(0);
  });
});

describe('files that are hidden', () => {
  const [one, other] = ['nvidia0', 'nvidia2'].map((name) => join(devices, name)) as [
    string,
    string,
  ];
  const sizes = (command: readonly string[]): string =>
    execFileSync(command[0]!, command.slice(1), { encoding: 'utf8' }).trim();
  const read = ['sh', '-c', `wc -c < '${one}'; wc -c < '${other}'`];

  it('are empty in the process that is started, if the system lets users hide files', () => {
    const hidden = hideFiles([one]);
    const mount = ['-rm', 'mount', '--bind', '/dev/null', one];
    const isAllowed = spawnSync('unshare', mount, { stdio: 'ignore' }).status === 0;
    expect(hidden !== null).toBe(isAllowed);
    if (hidden) expect(sizes(hidden(read))).toBe('0\n4');
    expect(sizes(read)).toBe('4\n4');
  });

  it('cannot be hidden where one of them is missing', () => {
    expect(hideFiles([join(folder, 'not there')])).toBeNull();
  });
});
