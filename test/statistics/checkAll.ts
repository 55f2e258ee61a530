import { describe, expect, it } from 'vitest';
import { patience } from '../support/statistics.js';
import { backends, type Check, judgeHere, line, tell } from './checks/Check.js';

/** Makes a test of each check, on each backend. */
export function checkAll<Sample>(checks: readonly Check<Sample>[]): void {
  if (checks.length === 0) return;
  describe.each(backends)('on %s', (backend) => {
    it.each(checks.map((check) => [check.name, check] as const))(
      '%s',
      async (name, check) => {
        const findings = await judgeHere(check, backend);
        tell(name, findings);
        expect(findings.filter(({ isGood }) => !isGood).map(line)).toEqual([]);
      },
      patience,
    );
  });
}
