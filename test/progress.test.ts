import { describe, expect, it, vi } from 'vitest';
import { duration, ProgressLine } from '../packages/cli/src/output/ProgressLine.js';

function watched(terminal: boolean, enabled = true) {
  let text = '';
  const streams = {
    out: () => {},
    err: (more: string) => {
      text += more;
    },
    terminal,
    columns: 60,
  };
  return { line: new ProgressLine(streams, enabled), text: () => text };
}

describe('the progress line', () => {
  it('shows step, speed and time left on a terminal, and clears itself', () => {
    const now = vi.spyOn(performance, 'now');
    const { line, text } = watched(true);
    now.mockReturnValue(1000);
    line.update({ step: 0, endStep: 1000 });
    now.mockReturnValue(3000);
    line.update({ step: 100, endStep: 1000 });
    line.update({ step: 101, endStep: 1000 }); // too early for another
    line.clear();
    now.mockRestore();
    expect(text()).toBe('\r\x1b[Kstep 100 of 1000 · 50 steps/s · 18 s left\r\x1b[K');
  });

  it.each([
    ['where there is no terminal', false, true],
    ['with --no-progress', true, false],
  ])('is silent %s', (_, terminal, enabled) => {
    const { line, text } = watched(terminal, enabled);
    expect(line.isWatched).toBe(false);
    const now = vi.spyOn(performance, 'now');
    for (let k = 1; k < 5; k++) {
      now.mockReturnValue(1000 * k);
      line.update({ step: k, endStep: 10 });
    }
    line.clear();
    now.mockRestore();
    expect(text()).toBe('');
  });

  it.each([
    [4.6, '5 s'],
    [125, '2:05 min'],
    [3725, '1:02:05 h'],
    [-1, '0 s'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});
