import { expect, it } from 'vitest';
import { RebuildInterval } from '../../../src/gpu/speculation/RebuildInterval.js';
import { sequence } from '../../shared/oracle.js';

const SKIN = 0.3;
const MOST_FAST = 256;

/**
 * Windows of a synthetic run: half way the particles become a fifth faster. Each window is shown after it has ended.
 *
 * @returns a line a window: interval, tauRatio, updates, attempts.
 */
function trace(deterministic: boolean): string {
  const rebuilds = new RebuildInterval({ deterministic });
  const next = sequence(5);
  const lines: string[] = [];
  let before = 0;
  for (let w = 0; w < 96; w++) {
    const { number, interval, tauRatio } = rebuilds.begin(before);
    const tau = tauRatio * SKIN;
    const limits = { skin: SKIN, tau, mostFast: MOST_FAST, count: 1e5 };
    const window = { number, interval, failed: false, updates: 0, limits };
    const open = { results: 0, isFull: false, count: limits.count };
    const isOver = () => {
      const { updates } = window;
      return rebuilds.length.isOver({
        ...open,
        interval,
        updates,
        rebuildsNext: updates % interval === 0,
      });
    };
    while (!isOver()) {
      if (++window.updates % 50 !== 0) continue;
      open.results++;
      rebuilds.length.asked(window.updates);
    }
    const speed = (w < 48 ? 0.02 : 0.024) * (0.95 + 0.1 * next());
    let attempts = 1;
    for (; ; attempts++) {
      const ages = Array.from({ length: window.updates }, (_, k) => k % window.interval)
        .filter((age) => age > 0)
        .map((age) => ({ age, distance: speed * age, fast: 8 * age }));
      const tooOld = ages.filter(({ distance }) => distance > SKIN - tau).map(({ age }) => age);
      const good = Math.min(window.interval, ...tooOld);
      if (good === window.interval) {
        rebuilds.learn(window, ages);
        break;
      }
      window.interval = Math.min(
        window.interval,
        rebuilds.repeat(window, { interval: good, ages }),
      );
      window.failed = true;
    }
    before = window.updates;
    lines.push(`${interval} ${tauRatio.toFixed(6)} ${before} ${attempts}`);
  }
  return `${lines.join('\n')}\n`;
}

it.each([
  ['learned', false],
  ['deterministic', true],
])('a recorded %s trace replays to the same decisions', async (name, deterministic) => {
  await expect(trace(deterministic)).toMatchFileSnapshot(`./rebuildInterval.${name}.trace`);
});
