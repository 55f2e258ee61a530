import { sumOutputs } from '@corpuscle/functor/passes';
import { type WgslEnv, type WgslField, wgslMember } from '@corpuscle/functor/wgsl';
import { gathers, type KernelRequest } from './KernelRequest.js';

/**
 * Where the outputs of the particle are while the functor runs: in its struct; or, where it computes in f32 and the state is
 * double-single, its sums are double-single variables beside it.
 */
export class CentralSums {
  readonly #sums: ReadonlySet<string>;
  readonly #gathered: ReadonlySet<string>;

  constructor(request: KernelRequest) {
    const { ir } = request;
    const sums = [...sumOutputs(ir)].filter(([, kind]) => kind === 'sum').map(([field]) => field);
    const isReal = (field: string) => ir.roles.i?.[field]?.type === 'real';
    this.#sums = new Set(sums);
    this.#gathered = new Set(gathers(request) ? sums.filter(isReal) : []);
  }

  /** Whether the functor does no more than add to a field. */
  isSum({ field }: WgslField): boolean {
    return this.#sums.has(field);
  }

  readonly env: Pick<WgslEnv, 'sum'> = {
    sum: (field, op, value) => {
      if (!this.#gathered.has(field)) return null;
      const name = variable(field);
      return `${name} = gathered(${name}, ${op === '-=' ? '-' : ''}(${value}));`;
    },
  };

  get declarations(): string {
    return [...this.#gathered].map((field) => `var<private> ${variable(field)}: vec2f;\n`).join('');
  }

  /** The variable that holds a field. */
  place({ field, member }: WgslField): string {
    return this.#gathered.has(field) ? variable(field) : `i.${member}`;
  }

  /** A field as that variable holds it. */
  held(field: WgslField): WgslField {
    return this.#gathered.has(field.field) ? { ...field, type: 'vec2f' } : field;
  }
}

const variable = (field: string): string => `central_${wgslMember(field)}`;
