import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { CorpuscleError } from '@corpuscle/core';
import { exitCode } from '../exitCodes.js';
import { localRank } from '../ranks/launchedRanks.js';
import { endWithStarter } from '../signals/endWithStarter.js';
import { type Card, cardsOf } from './cardsOf.js';
import { chooseCard } from './chooseCard.js';
import { cannotHide, hideFiles } from './hideCards.js';

/** The number of the card that is left to a process: it was started by another one, which has hidden the others. */
const CHOSEN = 'CORPUSCLE_CARD';

/**
 * Starts this command again where it sees one card alone, and waits for its end: cards of one model cannot be told apart once a device
 * is asked for. Null where it may go on itself: there are not several cards, no card is wanted, or the others are hidden already.
 *
 * @param backend what `--backend` says
 * @param ranks how many processes there are
 * @throws CorpuscleError INVALID_VALUE for CORPUSCLE_DEVICE; NO_ADAPTER where cards cannot be hidden
 */
export async function onOneCard(
  backend: string | undefined,
  ranks: number,
  environment: NodeJS.ProcessEnv,
): Promise<number | null> {
  const { CORPUSCLE_DEVICE: asked } = environment;
  const wanted = backend === 'webgpu' || (backend !== 'cpu' && ranks === 1);
  if (environment[CHOSEN] !== undefined) endWithStarter();
  if (!wanted || environment[CHOSEN] !== undefined) return null;
  if (ranks === 1 && asked === undefined) return null;
  const cards = cardsOf();
  const card = chooseCard(cards, asked, localRank(environment));
  if (!card || cards.length === 1) return null;
  const others = cards.filter((one) => one !== card).map(({ node }) => node);
  const hidden = hideFiles(others);
  if (!hidden) throw cannotHide();
  const own = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  return started(hidden(own), card, environment);
}

/**
 * Makes sure that a rank on a card sees one alone.
 * @throws CorpuscleError INVALID_VALUE where it was not said in time that ranks want cards
 */
export function assertOneCard(environment: NodeJS.ProcessEnv): void {
  if (environment[CHOSEN] !== undefined || cardsOf().length < 2) return;
  throw new CorpuscleError(
    'INVALID_VALUE',
    'the file asks for webgpu, and there are several cards: say --backend webgpu on the command line too, so that each rank takes a card when it starts',
  );
}

function started(
  [program, ...argv]: readonly string[],
  card: Card,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const env = { ...environment, [CHOSEN]: String(card.number) };
  const child = spawn(program!, argv, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'], // it ends with this process
    env,
  });
  // Launchers signal the process that they have started.
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, forward);
  return new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve(code ?? (signal ? 128 + constants.signals[signal] : exitCode.failed)),
    );
  }).finally(() => {
    for (const signal of signals) process.off(signal, forward);
  });
}
