import { applyBinary, applyFunction, type Expression } from './Expression.js';

/** The value of a formula. */
export function evaluateExpression(e: Expression, x: number): number {
  switch (e.kind) {
    case 'number':
      return e.value;
    case 'variable':
      return x;
    case 'binary':
      return applyBinary(e.op, evaluateExpression(e.left, x), evaluateExpression(e.right, x));
    case 'call':
      return applyFunction(e.name, evaluateExpression(e.argument, x));
  }
}

/**
 * Formulas as the text of a helper that returns their values, for the functor compiler. What occurs twice is computed
 * once.
 *
 * @param parameters names of the helper's parameters; the first is the variable
 */
export function expressionsText(
  formulas: readonly Expression[],
  parameters: readonly string[],
): string {
  const lines: string[] = [];
  const names = new Map<string, string>();
  const emit = (e: Expression): string => {
    if (e.kind === 'number') return literal(e.value);
    if (e.kind === 'variable') return parameters[0]!;
    const text = e.kind === 'call' ? callText(e.name, emit(e.argument)) : binaryText(e, emit);
    let name = names.get(text);
    if (!name) {
      name = `t${names.size}`;
      names.set(text, name);
      lines.push(`const ${name} = ${text};`);
    }
    return name;
  };
  const results = formulas.map(emit);
  return `(${parameters.join(', ')}) => { ${lines.join(' ')} return [${results.join(', ')}]; }`;
}

function literal(value: number): string {
  const text = String(Math.abs(value));
  return value < 0 || Object.is(value, -0) ? `(-${text})` : text;
}

function binaryText(
  { op, left, right }: Extract<Expression, { kind: 'binary' }>,
  emit: (e: Expression) => string,
): string {
  if (op === '-' && left.kind === 'number' && left.value === 0) return `-${emit(right)}`;
  if (op === '^') return `Math.pow(${emit(left)}, ${emit(right)})`;
  return `${emit(left)} ${op} ${emit(right)}`;
}

function callText(name: string, u: string): string {
  switch (name) {
    case 'step':
      return `(${u} >= 0 ? 1 : 0)`;
    case 'tan':
      return `Math.sin(${u}) / Math.cos(${u})`;
    case 'sinh':
      return `0.5 * (Math.exp(${u}) - Math.exp(-${u}))`;
    case 'cosh':
      return `0.5 * (Math.exp(${u}) + Math.exp(-${u}))`;
    default:
      return `Math.${name}(${u})`;
  }
}
