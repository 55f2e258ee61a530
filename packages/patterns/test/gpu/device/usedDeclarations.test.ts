import { expect, it } from 'vitest';
import { usedDeclarations } from '../../../src/gpu/device/usedDeclarations.js';

const declarations = `
// A number for each thread.
var<workgroup> numbers: array<u32, 4>;
struct Pair { a: u32, b: u32 }
// Adds up a pair; not { what other says.
fn sum(p: Pair) -> u32 { return p.a + p.b; }
// Uses what nobody else does.
fn unused(x: u32) -> u32 {
  return helper(x);
}
fn helper(x: u32) -> u32 {
  // numbers are not meant
  return x;
}
fn twice(x: u32) -> u32 {
  return sum(Pair(x, x));
}`;

it('leaves what the code uses, directly and by others, with its comments', () => {
  expect(usedDeclarations(declarations, 'let y = twice(2u);').trim()).toBe(
    `struct Pair { a: u32, b: u32 }
// Adds up a pair; not { what other says.
fn sum(p: Pair) -> u32 { return p.a + p.b; }
fn twice(x: u32) -> u32 {
  return sum(Pair(x, x));
}`,
  );
});

it('does not count a name in a comment as a use', () => {
  expect(
    usedDeclarations(declarations, '// twice, unused\nlet y = helper(numbers[0]);').trim(),
  ).toBe(
    `// A number for each thread.
var<workgroup> numbers: array<u32, 4>;
fn helper(x: u32) -> u32 {
  // numbers are not meant
  return x;
}`,
  );
});

it('leaves what declares no name', () => {
  expect(usedDeclarations('enable f16;\nfn f() {}', 'let x = 1;')).toBe('enable f16;');
});
