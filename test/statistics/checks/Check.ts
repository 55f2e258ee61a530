import { isWhole, whole } from '../../support/statistics.js';

export type Backend = 'cpu' | 'webgpu';

/** Backends that checks are made on. */
export const backends: readonly Backend[] = whole(['cpu', 'webgpu'], ['cpu']);

/** A number that a check has found, and whether it is as wanted. */
export interface Finding {
  readonly what: string;
  readonly found: number;
  /** Its standard error. */
  readonly error?: number;
  readonly wanted: string;
  readonly isGood: boolean;
}

/**
 * A statement about an ensemble: runs, and a judgment of what they give. That is JSON, so that runs may be made side by side in
 * processes of their own.
 */
export interface Check<Sample = unknown> {
  readonly name: string;
  readonly runs: readonly ((backend: Backend) => Promise<Sample>)[];
  /** Takes the runs that it needs by their numbers. */
  judge(run: (number: number) => Promise<Sample>): Promise<Finding[]>;
}

/** Makes the runs of a check one after the other. */
export function judgeHere<Sample>(check: Check<Sample>, backend: Backend): Promise<Finding[]> {
  let last: Promise<unknown> = Promise.resolve();
  const made = new Map<number, Promise<Sample>>();
  return check.judge((number) => {
    if (!made.has(number)) {
      const next = last.then(() => check.runs[number]!(backend));
      made.set(number, next);
      last = next;
    }
    return made.get(number)!;
  });
}

/** A number that has to be within so many standard errors of another one, which may have an error too. */
export function near(
  what: string,
  { found, error }: { found: number; error: number },
  wanted: number,
  { sigmas = 3, plus = 0 }: { sigmas?: number; plus?: number } = {},
): Finding {
  const isGood = Math.abs(found - wanted) <= sigmas * error + plus;
  return { what, found, error, wanted: short(wanted), isGood };
}

/** A number that has to be above another one. */
export const above = (what: string, found: number, least: number): Finding => ({
  what,
  found,
  wanted: `> ${short(least)}`,
  isGood: found > least,
});

/** A number whose size has to be below another one. */
export const below = (what: string, found: number, most: number): Finding => ({
  what,
  found,
  wanted: `< ${short(most)}`,
  isGood: Math.abs(found) < most,
});

const short = (x: number): string => String(Number(x.toPrecision(6)));

/** A finding as a line of text. */
export function line({ what, found, error, wanted, isGood }: Finding): string {
  const plus = error === undefined ? '' : ` ± ${Number(error.toPrecision(2))}`;
  return `${isGood ? 'ok ' : 'BAD'}  ${what}: ${short(found)}${plus}, wanted ${wanted}`;
}

/** Says what a check has found in its long form. */
export function tell(name: string, findings: readonly Finding[]): void {
  if (isWhole) for (const finding of findings) process.stdout.write(`${name}: ${line(finding)}\n`);
}
