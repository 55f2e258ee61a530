import type { Kernel } from './Kernel.js';

/** The text of a kernel with its argument record below the header; null where it is only a list of others. */
export function kernelText({ code, args, label }: Kernel, target: 'wat' | 'js'): string | null {
  if (code.kind === 'sequence') return null;
  // Engines bring a few kernels of their own in WebAssembly whatever functors become.
  if (code.kind === 'wasm' && target === 'js')
    return `// ${label}\n//\n// WebAssembly whatever functors become: see the target wat.`;
  const mark = code.kind === 'wasm' ? ';;' : '//';
  const lines = (code.kind === 'wasm' ? (code.text?.() ?? '') : code.source).trimEnd().split('\n');
  const end = lines.findIndex((line) => !line.startsWith(mark));
  const slots = args.slots.map(({ name, type }, k) => `${mark}   ${8 * k}: ${name} (${type})`);
  const record = [mark, `${mark} The argument record, byte: name`, ...slots];
  return [...lines.slice(0, end), ...record, ...lines.slice(end)].join('\n');
}
