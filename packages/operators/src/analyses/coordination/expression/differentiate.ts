import { binary, call, type Expression, number } from './Expression.js';

const negative = (e: Expression) => binary('-', number(0), e);
const times = (a: Expression, b: Expression) => binary('*', a, b);
const over = (a: Expression, b: Expression) => binary('/', a, b);
const power = (a: Expression, b: Expression) => binary('^', a, b);

/** The derivative of a formula by its variable. */
export function differentiate(e: Expression): Expression {
  switch (e.kind) {
    case 'number':
      return number(0);
    case 'variable':
      return number(1);
    case 'call':
      return times(slope(e), differentiate(e.argument));
    case 'binary': {
      const { op, left, right } = e;
      const dl = differentiate(left);
      const dr = differentiate(right);
      if (op === '+' || op === '-') return binary(op, dl, dr);
      if (op === '*') return binary('+', times(dl, right), times(left, dr));
      if (op === '/')
        return binary('-', over(dl, right), over(times(left, dr), power(right, number(2))));
      if (right.kind === 'number')
        return times(times(right, power(left, number(right.value - 1))), dl);
      const byExponent = times(times(e, call('log', left)), dr);
      if (left.kind === 'number') return byExponent;
      return binary(
        '+',
        times(times(right, power(left, binary('-', right, number(1)))), dl),
        byExponent,
      );
    }
  }
}

function slope(e: Extract<Expression, { kind: 'call' }>): Expression {
  const u = e.argument;
  switch (e.name) {
    case 'sqrt':
      return over(number(0.5), e);
    case 'exp':
      return e;
    case 'log':
      return over(number(1), u);
    case 'sin':
      return call('cos', u);
    case 'cos':
      return negative(call('sin', u));
    case 'tan':
      return binary('+', number(1), power(e, number(2)));
    case 'sinh':
      return call('cosh', u);
    case 'cosh':
      return call('sinh', u);
    case 'tanh':
      return binary('-', number(1), power(e, number(2)));
    case 'abs':
      return over(u, e);
    case 'step':
      return number(0);
    case 'square':
    case 'cube':
    case 'recip':
      throw new Error('call() has replaced it by a power or a quotient');
  }
}
