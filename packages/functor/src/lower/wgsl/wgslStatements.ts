import type { Stmt } from '../../ir.js';
import { type CountedLoop, countedLoop } from './countedLoop.js';
import { singleText } from './real/singleText.js';
import {
  gatherStatement,
  helperName,
  type WgslContext,
  wgslExpression,
  wgslIndex,
  wgslType,
} from './wgslExpression.js';
import { wgslMember } from './wgslNames.js';

/** Statements, one a line, indented. `results` names the struct of a helper with several results. */
export function wgslStatements(
  body: readonly Stmt[],
  c: WgslContext,
  indent: string,
  results: string | null = null,
): string {
  const lines: string[] = [];
  for (let n = 0; n < body.length; n++) {
    const counted = countedLoop(body, n);
    if (counted) n++;
    lines.push(
      counted ? countedText(counted, c, indent, results) : statement(body[n]!, c, indent, results),
    );
  }
  return lines.map((line) => `${line}\n`).join('');
}

function countedText(
  { counter: { id }, turns, body }: CountedLoop,
  c: WgslContext,
  indent: string,
  results: string | null,
): string {
  const turn = wgslStatements(body, c, `${indent}  `, results);
  return `${indent}for (var ${id} = ${turns}u; ${id} > 0u; ${id}--) {\n${turn}${indent}}`;
}

function statement(s: Stmt, c: WgslContext, indent: string, results: string | null): string {
  const deeper = `${indent}  `;
  const list = (body: readonly Stmt[], at = deeper) => wgslStatements(body, c, at, results);
  switch (s.kind) {
    case 'declare':
      return `${indent}var ${s.variable.id}: ${wgslType(s.variable.type, c)} = ${wgslExpression(s.value, c)};`;
    case 'declareArray': {
      const elements = s.elements.map((e) => wgslExpression(e, c)).join(', ');
      const type = `array<${wgslType(s.variable.type, c)}, ${s.variable.size}>`;
      return `${indent}var ${s.variable.id} = ${type}(${elements});`;
    }
    case 'assign':
      return `${indent}${s.variable.id} = ${wgslExpression(s.value, c)};`;
    case 'assignElement': {
      const value = wgslExpression(s.value, c);
      if (s.index.kind === 'number')
        return `${indent}${s.variable.id}[${s.index.value}] = ${value};`;
      const store = `${s.variable.id}[at_] = value_;`;
      const index = wgslIndex(s.index, c);
      return `${indent}{ let at_ = ${index}; let value_ = ${value}; if (at_ < ${s.variable.size}u) { ${store} } }`;
    }
    case 'write': {
      // A context is a variable of the module.
      const target = `${s.role === 'x' ? 'x' : `(*${s.role})`}.${wgslMember(s.field)}`;
      const isSum = s.role === 'i' && (s.op === '+=' || s.op === '-=');
      if (isSum && c.env.gathered?.has(s.field))
        return `${indent}${gatherStatement(target, s.op, s.value, c)}`;
      const value = wgslExpression(s.value, c);
      if (isSum) {
        const sum = c.env.sum?.(s.field, s.op, value) ?? null;
        if (sum !== null) return `${indent}${sum}`;
      }
      const isReal = s.value.type === 'real';
      return `${indent}${(isReal ? c.real : singleText).update(target, s.op, value)}`;
    }
    case 'writeItem':
      return `${indent}${c.env.writeItem(s.role, s.field, wgslIndex(s.index, c), s.op, wgslExpression(s.value, c))}`;
    case 'if': {
      const otherwise = s.else.length > 0 ? ` else {\n${list(s.else)}${indent}}` : '';
      return `${indent}if (${wgslExpression(s.condition, c)}) {\n${list(s.then)}${indent}}${otherwise}`;
    }
    case 'loop': {
      const condition = `${deeper}if (!${wgslExpression(s.condition, c)}) { break; }\n`;
      const update =
        s.update.length > 0
          ? `${deeper}continuing {\n${list(s.update, `${deeper}  `)}${deeper}}\n`
          : '';
      return `${indent}loop {\n${condition}${list(s.body)}${update}${indent}}`;
    }
    case 'break':
    case 'continue':
      return `${indent}${s.kind};`;
    case 'barrier':
      return `${indent}workgroupBarrier();`;
    case 'return': {
      const values = s.values.map((e) => wgslExpression(e, c)).join(', ');
      if (s.values.length === 0) return `${indent}return;`;
      return `${indent}return ${results ? `${results}(${values})` : values};`;
    }
    case 'callMany': {
      const args = s.args.map((e) => wgslExpression(e, c)).join(', ');
      const all = `${s.targets[0]!.id}_all`;
      const parts = s.targets.map((variable, k) => `${indent}var ${variable.id} = ${all}.r${k};`);
      return [`${indent}let ${all} = ${helperName(c, s.helper)}(${args});`, ...parts].join('\n');
    }
  }
}
