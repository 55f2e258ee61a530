import type { Expr, FunctorIR, HelperIR, Stmt, Variable } from '../ir.js';

/** The representation as text, one statement a line: for snapshots and for reading what the compiler understood. */
export function printIR(ir: FunctorIR): string {
  const roles = Object.entries(ir.roles).map(([role, fields]) => {
    const parts = Object.entries(fields ?? {}).map(([name, f]) => {
      return `${f.writable ? '*' : ''}${name}: ${f.type}${f.array ? '[]' : ''}`;
    });
    return `  role ${role} { ${parts.join(', ')} }`.replace('{  }', '{ }');
  });
  const helpers = ir.helpers.filter(({ builtin }) => !builtin).map(printHelper);
  return [`${ir.kind} ${ir.name}`, ...roles, ...helpers, '  body', ...lines(ir.body, '    ')].join(
    '\n',
  );
}

function printHelper(helper: HelperIR): string {
  const params = helper.params.map((v) => `${v.id}: ${v.type}`).join(', ');
  return [
    `  helper ${helper.name}(${params}): ${helper.results.join(', ')}`,
    ...lines(helper.body, '    '),
  ].join('\n');
}

function lines(body: readonly Stmt[], indent: string): string[] {
  return body.flatMap((s) => statement(s, indent));
}

const typed = (v: Variable): string => `${v.id}: ${v.type}${v.size > 0 ? `[${v.size}]` : ''}`;

function statement(s: Stmt, indent: string): string[] {
  const deeper = `${indent}  `;
  switch (s.kind) {
    case 'declare':
      return [`${indent}let ${typed(s.variable)} = ${expression(s.value)}`];
    case 'declareArray':
      return [`${indent}let ${typed(s.variable)} = [${s.elements.map(expression).join(', ')}]`];
    case 'assign':
      return [`${indent}${s.variable.id} = ${expression(s.value)}`];
    case 'assignElement':
      return [`${indent}${s.variable.id}[${expression(s.index)}] = ${expression(s.value)}`];
    case 'write':
      return [`${indent}${s.role}.${s.field} ${s.op} ${expression(s.value)}`];
    case 'writeItem':
      return [
        `${indent}${s.role}.${s.field}[${expression(s.index)}] ${s.op} ${expression(s.value)}`,
      ];
    case 'if':
      return [
        `${indent}if ${expression(s.condition)}`,
        ...lines(s.then, deeper),
        ...(s.else.length > 0 ? [`${indent}else`, ...lines(s.else, deeper)] : []),
      ];
    case 'loop':
      return [
        `${indent}loop ${expression(s.condition)}`,
        ...lines(s.body, deeper),
        ...(s.update.length > 0 ? [`${indent}update`, ...lines(s.update, deeper)] : []),
      ];
    case 'break':
    case 'continue':
    case 'barrier':
      return [`${indent}${s.kind}`];
    case 'return':
      return [`${indent}return ${s.values.map(expression).join(', ')}`.trimEnd()];
    case 'callMany': {
      const args = s.args.map(expression).join(', ');
      return [`${indent}let ${s.targets.map(typed).join(', ')} = ${s.helper.name}(${args})`];
    }
  }
}

const suffix = { real: '', i32: 'i', u32: 'u' } as const;

function expression(e: Expr): string {
  switch (e.kind) {
    case 'number':
      return `${Object.is(e.value, -0) ? '-0' : e.value}${suffix[e.type]}`;
    case 'boolean':
      return String(e.value);
    case 'variable':
      return e.variable.id;
    case 'element':
      return `${e.variable.id}[${expression(e.index)}]`;
    case 'field':
      return `${e.role}.${e.field}`;
    case 'item':
      return `${e.role}.${e.field}[${expression(e.index)}]`;
    case 'unary':
      return `${e.op}${expression(e.operand)}`;
    case 'binary':
    case 'bits':
      return `(${expression(e.left)} ${e.op}${suffix[e.type]} ${expression(e.right)})`;
    case 'compare':
    case 'logic':
      return `(${expression(e.left)} ${e.op} ${expression(e.right)})`;
    case 'select':
      return `(${expression(e.condition)} ? ${expression(e.then)} : ${expression(e.else)})`;
    case 'math':
      return `${e.name}${suffix[e.type]}(${e.args.map(expression).join(', ')})`;
    case 'test':
      return `${e.name}(${expression(e.operand)})`;
    case 'cast':
      return `${e.type}(${expression(e.operand)})`;
    case 'call':
      return `${e.helper.name}(${e.args.map(expression).join(', ')})`;
  }
}
