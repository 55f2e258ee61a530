export const switchTypes = [
  'rational',
  'exp',
  'gaussian',
  'smap',
  'cubic',
  'tanh',
  'cosinus',
  'q',
  'custom',
] as const;
/** Names of the switching functions, see `SwitchOptions`. */
export type SwitchType = (typeof switchTypes)[number];

/**
 * A switching function s(r) as a user gives it; x = (r − d0)/r0. s is 1 up to d0 and 0 beyond dMax.
 *
 * | type       | s                                             |                                                  |
 * |------------|-----------------------------------------------|--------------------------------------------------|
 * | `rational` | (1 − x^nn)/(1 − x^mm)                         | nn 6, mm 2·nn                                    |
 * | `exp`      | e^(−x)                                        |                                                  |
 * | `gaussian` | e^(−x²/2)                                     |                                                  |
 * | `smap`     | [1 + (2^(a/b) − 1) x^a]^(−b/a)                | needs a, b                                       |
 * | `cubic`    | (x − 1)² (1 + 2x)                             | needs dMax; r0 is dMax − d0                      |
 * | `tanh`     | 1 − tanh x                                    |                                                  |
 * | `cosinus`  | (cos πx + 1)/2, 0 beyond x = 1                |                                                  |
 * | `q`        | 1/(1 + e^(beta (r − lambda ref)))             | needs ref; beta 50, lambda 1.8                   |
 * | `custom`   | func, of x or of x2 = (r/r0)²                 | needs func; x2 knows no d0                       |
 */
export interface SwitchOptions {
  readonly type: SwitchType;
  readonly r0?: number;
  /** Default 0. */
  readonly d0?: number;
  /** Default: no end, and then no stretch. */
  readonly dMax?: number;
  /** Whether s is stretched and shifted so that it is 1 at 0 and 0 at dMax. Default true. */
  readonly stretch?: boolean;
  readonly nn?: number;
  readonly mm?: number;
  readonly a?: number;
  readonly b?: number;
  readonly beta?: number;
  readonly lambda?: number;
  readonly ref?: number;
  readonly func?: string;
  readonly variable?: 'x' | 'x2';
}
