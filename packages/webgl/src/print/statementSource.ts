import { forEachStatement, type HelperIR, type Stmt } from '@corpuscle/patterns';
import { conditionSource, helperName, type SourceEnv, valueSource } from './expressionSource.js';
import { loopLimit } from './loopLimit.js';

/**
 * Statements as gpu.js kernel source.
 *
 * gpu.js compiles `continue` wrongly and knows no labels, so jumps become numbers: each loop, and the functor as a whole, has
 * a flag that is 0 while it runs, 1 after `continue`, 2 after `break`, 3 after `return`. What follows a statement that may
 * jump stands in `if (flag === 0.0)`.
 */
export function statementSource(body: readonly Stmt[], env: SourceEnv): string {
  const writer = new Writer(env);
  const text = writer.list(body, 'flag0');
  return body.some(mayReturn) ? `let flag0 = zero;\n${text}` : text;
}

/** Functions for a helper: one for each of its results. */
export function helperSource(helper: HelperIR, env: SourceEnv): string[] {
  const params = helper.params.map((variable) => variable.id).join(', ');
  return helper.results.map((_, result) => {
    const body = new Writer(env, result).list(helper.body, '');
    return `function ${helperName(helper.name, result)}(${params}) {\nconst zero = 0.0;\n${body}}`;
  });
}

class Writer {
  #loops = 0;

  /** @param result in a helper: the number of the result that is returned. */
  constructor(
    readonly env: SourceEnv,
    readonly result?: number,
  ) {}

  list(body: readonly Stmt[], flag: string): string {
    let text = '';
    for (const [k, s] of body.entries()) {
      text += `${this.#statement(s, flag)}\n`;
      const rest = body.slice(k + 1);
      if (rest.length > 0 && flag !== '' && this.#mayLeave(s))
        return `${text}if (${flag} === 0.0) {\n${this.list(rest, flag)}}\n`;
    }
    return text;
  }

  /** May the statement end the list it stands in? In a helper a `return` really returns. */
  #mayLeave(s: Stmt): boolean {
    return mayJump(s) || (this.result === undefined && mayReturn(s));
  }

  #statement(s: Stmt, flag: string): string {
    const { env } = this;
    switch (s.kind) {
      case 'declare':
        return `let ${s.variable.id} = zero + ${valueSource(s.value, env)};`;
      case 'assign':
        return `${s.variable.id} = ${valueSource(s.value, env)};`;
      case 'write':
        return env.write(s.field, s.op, valueSource(s.value, env));
      case 'if': {
        const otherwise = s.else.length > 0 ? ` else {\n${this.list(s.else, flag)}}` : '';
        return `if (${conditionSource(s.condition, env)}) {\n${this.list(s.then, flag)}}${otherwise}`;
      }
      case 'loop':
        return this.#loop(s, flag);
      case 'break':
        return `${flag} = 2.0;`;
      case 'continue':
        return `${flag} = 1.0;`;
      case 'return':
        if (this.result === undefined) return `${flag} = 3.0;`;
        return `return ${valueSource(s.values[this.result]!, env)};`;
      case 'callMany': {
        const args = s.args.map((e) => valueSource(e, env)).join(', ');
        return s.targets
          .map((target, k) => `let ${target.id} = ${helperName(s.helper.name, k)}(${args});`)
          .join('\n');
      }
      default:
        throw new Error(`gpu.js source has no ${s.kind}`); // refused before: see refusal.ts
    }
  }

  #loop(s: Extract<Stmt, { kind: 'loop' }>, outer: string): string {
    const n = ++this.#loops;
    const flag = `flag${n}`;
    const jumps = s.body.some((inner) => this.#mayLeave(inner));
    const after = jumps ? `if (${flag} > 1.5) { break; }\n` : '';
    const reset = jumps ? `${flag} = 0.0;\n` : '';
    const leaves = this.result === undefined && s.body.some(mayReturn);
    return `${jumps ? `let ${flag} = zero;\n` : ''}for (let turn${n} = 0; turn${n} < ${loopLimit}; turn${n}++) {
if (!${conditionSource(s.condition, this.env)}) { break; }
${reset}${this.list(s.body, jumps ? flag : '')}${after}${this.list(s.update, '')}}
${leaves ? `if (${flag} > 2.5) { ${outer} = 3.0; }` : ''}`;
  }
}

/** Has a `break` or `continue` that belongs to the loop around the statement. */
function mayJump(s: Stmt): boolean {
  if (s.kind === 'break' || s.kind === 'continue') return true;
  return s.kind === 'if' && (s.then.some(mayJump) || s.else.some(mayJump));
}

function mayReturn(s: Stmt): boolean {
  let found = false;
  forEachStatement([s], (inner) => {
    if (inner.kind === 'return') found = true;
  });
  return found;
}
