import type { Stmt } from '../../ir.js';
import { forEachStatement } from '../../passes/walk.js';
import { expressionText, helperName } from './expressionText.js';
import type { JavaScriptEnv } from './JavaScriptEnv.js';

/** Statements, one a line. `inside` decides what a return means. */
export function statementsText(
  body: readonly Stmt[],
  env: JavaScriptEnv,
  inside: 'functor' | 'helper',
): string {
  return new Writer(env, inside).list(body, { onContinue: 'continue;', onBreak: 'break;' });
}

/** What jumps become in the innermost loop. */
interface Jumps {
  readonly onContinue: string;
  readonly onBreak: string;
}

class Writer {
  #labels = 0;

  constructor(
    readonly env: JavaScriptEnv,
    readonly inside: 'functor' | 'helper',
  ) {}

  list(body: readonly Stmt[], jumps: Jumps): string {
    return body.map((s) => `${this.#statement(s, jumps)}\n`).join('');
  }

  #statement(s: Stmt, jumps: Jumps): string {
    const { env } = this;
    switch (s.kind) {
      case 'declare':
        return `let ${s.variable.id} = ${expressionText(s.value, env)};`;
      case 'declareArray':
        return `const ${s.variable.id} = [${s.elements.map((e) => expressionText(e, env)).join(', ')}];`;
      case 'assign':
        return `${s.variable.id} = ${expressionText(s.value, env)};`;
      case 'assignElement':
        return `${s.variable.id}[${expressionText(s.index, env)}] = ${expressionText(s.value, env)};`;
      case 'write':
        return env.write(s.role, s.field, s.op, expressionText(s.value, env));
      case 'writeItem':
        return env.writeItem(
          s.role,
          s.field,
          expressionText(s.index, env),
          s.op,
          expressionText(s.value, env),
        );
      case 'if': {
        const otherwise = s.else.length > 0 ? ` else {\n${this.list(s.else, jumps)}}` : '';
        return `if (${expressionText(s.condition, env)}) {\n${this.list(s.then, jumps)}}${otherwise}`;
      }
      case 'loop':
        return this.#loop(s);
      case 'break':
        return jumps.onBreak;
      case 'continue':
        return jumps.onContinue;
      case 'return':
        return this.#return(s);
      case 'barrier':
        return '';
      case 'callMany': {
        const args = s.args.map((e) => expressionText(e, env)).join(', ');
        const all = `${s.targets[0]!.id}$`;
        const targets = s.targets.map((variable, k) => `${variable.id} = ${all}[${k}]`).join(', ');
        return `const ${all} = ${helperName(s.helper)}(${args});\nlet ${targets};`;
      }
    }
  }

  #return(s: Extract<Stmt, { kind: 'return' }>): string {
    if (this.inside === 'functor') return 'break functor;';
    const values = s.values.map((e) => expressionText(e, this.env));
    return `return ${values.length === 1 ? values[0] : `[${values.join(', ')}]`};`;
  }

  #loop(s: Extract<Stmt, { kind: 'loop' }>): string {
    const condition = expressionText(s.condition, this.env);
    if (s.update.every((u) => u.kind === 'assign')) {
      const update = s.update.map((u) => this.#statement(u, plain).slice(0, -1)).join(', ');
      return `for (; ${condition}; ${update}) {\n${this.list(s.body, plain)}}`;
    }
    // The update needs statements: a jump to it leaves a labeled block around the body.
    const n = this.#labels++;
    const jumps = { onContinue: `break body${n};`, onBreak: `break loop${n};` };
    const inner = hasJump(s.body)
      ? `body${n}: {\n${this.list(s.body, jumps)}}\n`
      : this.list(s.body, jumps);
    return `loop${n}: for (; ${condition}; ) {\n${inner}${this.list(s.update, plain)}}`;
  }
}

const plain: Jumps = { onContinue: 'continue;', onBreak: 'break;' };

function hasJump(body: readonly Stmt[]): boolean {
  let found = false;
  forEachStatement(body, (s) => {
    if (s.kind === 'break' || s.kind === 'continue') found = true;
  });
  return found;
}
