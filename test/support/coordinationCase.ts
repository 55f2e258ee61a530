import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ParticleFrame, SwitchOptions, SwitchType } from '@corpuscle/operators';
import { frameOfPositions } from './frameOfPositions.js';

const folder = new URL('../data/coordination/', import.meta.url);

interface OracleSwitch {
  readonly type: string;
  readonly r0?: number;
  readonly d0?: number;
  readonly dmax?: number;
  readonly nn?: number;
  readonly mm?: number;
  readonly a?: number;
  readonly b?: number;
  readonly beta?: number;
  readonly lambda?: number;
  readonly ref?: number;
  readonly func?: string;
  readonly var?: 'x' | 'x2';
  readonly nostretch?: boolean;
  readonly fromKeywords?: boolean;
}

interface Effective {
  readonly dmax: number | null;
  readonly stretch: number;
  readonly shift: number;
}

export interface ScanCase {
  readonly switch: OracleSwitch;
  readonly effectiveSwitch: Effective;
  readonly r: readonly number[];
  readonly refValue: readonly number[];
  readonly refDsdr: readonly number[];
}

export interface CoordinationCase {
  readonly positions: readonly (readonly number[])[];
  readonly box: readonly (readonly number[])[] | null;
  readonly pbc: boolean;
  readonly mode: 'self' | 'two' | 'pair';
  readonly groupA: readonly number[];
  readonly groupB: readonly number[];
  readonly switch: OracleSwitch;
  readonly effectiveSwitch: Effective;
  readonly expected: {
    readonly value: number;
    readonly derivatives: readonly (readonly number[])[];
    readonly boxDerivatives: readonly (readonly number[])[];
  };
}

const names = readdirSync(fileURLToPath(folder))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));
export const scanNames = names.filter((name) => name.startsWith('scan_'));
export const caseNames = names.filter((name) => !name.startsWith('scan_'));

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
export const scanCase = (name: string) => read(name) as ScanCase;
export const coordinationCase = (name: string) => read(name) as CoordinationCase;

/** The switch of a case in our own words. */
export function switchOf(s: OracleSwitch): { options: SwitchOptions; keywordForm: boolean } {
  const all = {
    type: s.type.toLowerCase() as SwitchType,
    r0: s.r0,
    d0: s.d0,
    dMax: s.dmax,
    nn: s.nn,
    mm: s.mm,
    a: s.a,
    b: s.b,
    beta: s.beta,
    lambda: s.lambda,
    ref: s.ref,
    func: s.func,
    variable: s.var,
    ...(s.nostretch ? { stretch: false } : {}),
  };
  return { options: all, keywordForm: s.fromKeywords === true };
}

/** The particles of a case. */
export const frameOfCase = ({ positions, box }: CoordinationCase): ParticleFrame =>
  frameOfPositions(positions, box ? box.flat() : null);
