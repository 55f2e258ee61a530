/**
 * The name of a field as a member of a WGSL struct: safe from reserved words (`type_`, `from_`), as every member ends in
 * an underscore.
 */
export function wgslMember(field: string): string {
  const clean = field.replace(/[^A-Za-z0-9_]/g, '_').replace(/^_+/, 'x');
  return `${clean}_`;
}
