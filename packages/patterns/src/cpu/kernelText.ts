import type { AddressType } from '@corpuscle/functor/wasm';
import type { Kernel } from './Kernel.js';

/** The text of a kernel with its argument record below the header; null where it is only a list of others. */
export function kernelText(
  { code, args, label }: Kernel,
  target: 'wat' | 'js',
  addresses: AddressType,
): string | null {
  if (code.kind === 'sequence') return null;
  // Sorts and searches are WebAssembly, also where functors become JavaScript.
  if (code.kind === 'wasm' && target === 'js')
    return `// ${label}\n//\n// Always WebAssembly: --target wat prints it.`;
  const text = code.kind === 'wasm' ? (code.text?.(addresses) ?? '') : code.source(addresses);
  const mark = code.kind === 'wasm' ? ';;' : '//';
  const lines = text.trimEnd().split('\n');
  const end = lines.findIndex((line) => !line.startsWith(mark));
  const slots = args.slots.map(({ name, type }, k) => `${mark}   ${8 * k}: ${name} (${type})`);
  const record = [mark, `${mark} The argument record, byte: name`, ...slots];
  return [...lines.slice(0, end), ...record, ...lines.slice(end)].join('\n');
}
