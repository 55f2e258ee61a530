/** Bytes of workgroup memory that declarations of WGSL take. Structs have members of four bytes, or vectors, in their order. */
export function workgroupBytes(declarations: string): number {
  const structs = new Map<string, string>();
  for (const [, name, members] of declarations.matchAll(/\bstruct (\w+) \{([^}]*)\}/g))
    structs.set(name!, members!);
  const sizeOf = (type: string): number => {
    const [, element, count] = /^array<(.+), (\d+)u?>$/.exec(type) ?? [];
    if (element) return sizeOf(element) * Number(count);
    const members = structs.get(type);
    if (members === undefined) return type.startsWith('vec2') ? 8 : type.startsWith('vec') ? 16 : 4;
    return [...members.matchAll(/: ([^,]+)/g)].reduce(
      (sum, [, one]) => sum + sizeOf(one!.trim()),
      0,
    );
  };
  return [...declarations.matchAll(/\bvar<workgroup> \w+: ([^;]+);/g)].reduce(
    (sum, [, type]) => sum + sizeOf(type!),
    0,
  );
}
