import type { ModuleSpec } from './assembleModule.js';
import type { FunctionBuilder } from './FunctionBuilder.js';
import { localNames } from './localNames.js';
import { functionsOf, importsOf, memoryOf } from './moduleParts.js';
import { printBody } from './printBody.js';

/**
 * The text form (WAT, folded) of the module that `assembleModule` writes for the same specification: an assembler makes the
 * same bytes of it. Locals have the names that builders gave them, comments stand where builders put them.
 *
 * @param about lines in front of the module.
 * @example
 * printModule({ functions: [kernel] }); // (module (import "env" "memory" …) (func $run (export "run") …))
 */
export function printModule(spec: ModuleSpec, about = ''): string {
  const functions = functionsOf(spec);
  const exported = new Set(spec.exports ?? spec.functions.map(({ name }) => name));
  const { minimum, maximum, shared } = memoryOf(spec);
  const addresses = spec.addresses === 'i64' ? 'i64 ' : '';
  const limits = [minimum, ...(maximum === undefined ? [] : [maximum])].join(' ');
  const lines = [
    ...(about ? about.split('\n').map((line) => `;; ${line}`.trimEnd()) : []),
    '(module',
    ...importsOf(functions).map(({ name, args }) => {
      const params = args > 0 ? ` (param${' f64'.repeat(args)})` : '';
      const [module, field] = ['math', name.slice('math.'.length)];
      return `  (import "${module}" "${field}" (func $${name}${params} (result f64)))`;
    }),
    `  (import "env" "memory" (memory ${addresses}${limits}${shared ? ' shared' : ''}))`,
    ...functions.flatMap((f) => printFunction(f, exported.has(f.name))),
    ...[...new Map(functions.flatMap((f) => [...f.data]))].map(
      ([address, bytes]) =>
        `  (data (${spec.addresses ?? 'i32'}.const ${address}) "${escaped(bytes)}")`,
    ),
  ];
  return `${lines.join('\n')})\n`;
}

function printFunction(f: FunctionBuilder, isExported: boolean): string[] {
  const nameOf = localNames(f);
  const params = f.params.map((type, k) => ` (param ${nameOf(k)} ${type})`).join('');
  const results = f.results.length > 0 ? ` (result ${f.results.join(' ')})` : '';
  const head = `  (func $${f.name}${isExported ? ` (export "${f.name}")` : ''}${params}${results}`;
  const locals = wrapped(
    f.locals.map((type, k) => `(local ${nameOf(f.params.length + k)} ${type})`),
  );
  const body = printBody(f.code, nameOf, '    ');
  const lines = ['', head, ...locals, ...body];
  return [...lines.slice(0, -1), `${lines.at(-1)})`];
}

/** Declarations side by side. */
function wrapped(declarations: readonly string[]): string[] {
  const lines: string[] = [];
  for (const declaration of declarations) {
    const last = lines.at(-1);
    if (last && last.length + 1 + declaration.length <= 100)
      lines[lines.length - 1] = `${last} ${declaration}`;
    else lines.push(`    ${declaration}`);
  }
  return lines;
}

const escaped = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
