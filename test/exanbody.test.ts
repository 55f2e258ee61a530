import { readFileSync } from 'node:fs';
import { createRegistry } from '@corpuscle/operators';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../docs/exanbody.md', import.meta.url), 'utf8');
/** Lines of the tables of operators: names there, and what stands for them here. */
const lines = [...page.slice(page.indexOf('\n## ')).matchAll(/^\| (`.*?) \| (.*?) \| .* ?\|$/gm)];
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);

it('lists each of the 178 operators of exaNBody once', () => {
  const names = lines.flatMap(([, theirs]) => quoted(theirs!));
  expect(names).toHaveLength(178);
  expect(new Set(names).size).toBe(178);
  const [, here, unnecessary, missing] =
    /(\d+) have a[^,]*,\s*(\d+) are unn[^,]*, (\d+) are not/.exec(page)!;
  expect(Number(here) + Number(unnecessary) + Number(missing)).toBe(178);
});

it('names operators that are here', () => {
  const { operators, composites } = createRegistry();
  const all = [...operators, ...composites];
  const known = new Set(all.flatMap(({ name, slots }) => [name, ...Object.keys(slots)]));
  const words = lines.flatMap(([, , here]) => quoted(here!));
  const others =
    /^(corpuscle |--|global:|particle_types:|configuration:|nop$|plot$|frequency$|from$|run$|\{ body)/;
  const named = words.filter(
    (word) => !others.test(word) && !/^(define\w+|blockParallelFor)$/.test(word),
  );
  expect(named.length).toBeGreaterThan(40);
  for (const word of named) expect(known.has(word.split(':')[0]!), word).toBe(true);
});
