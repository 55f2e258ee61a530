// Checks that everything the packages export says what it is: every export and every public method has a docstring, and one
// that throws a CorpuscleError has @throws. The last line is the count.                              pnpm run lint:docs
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { published, root } from './support/packPackages.js';

const THROWS = /throw new CorpuscleError/;

const indexes = published.flatMap(entriesOf);
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
  ts.sys,
  root,
);
const program = ts.createProgram(indexes, options);
const checker = program.getTypeChecker();

/** What a symbol lacks, or null. A member without a docstring of its own has that of the interface it implements. */
function lack(symbol: ts.Symbol, body: ts.Node): string | null {
  if (ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim() === '')
    return 'no docstring';
  const tags = symbol.getJsDocTags(checker).map((tag) => tag.name);
  const throws = isCallable(body) && THROWS.test(body.getText());
  return throws && !tags.includes('throws') ? 'throws, and has no @throws' : null;
}

function isCallable(node: ts.Node): boolean {
  return ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
}

/** The methods that users see; names of symbols (`[Symbol.dispose]`) speak for themselves. */
function methodsOf(declaration: ts.Declaration): (ts.MethodDeclaration | ts.MethodSignature)[] {
  if (!ts.isClassDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) return [];
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return [...declaration.members]
    .filter((member) => ts.isMethodDeclaration(member) || ts.isMethodSignature(member))
    .filter((member) => ts.isIdentifier(member.name))
    .filter((member) => (ts.getCombinedModifierFlags(member) & hidden) === 0);
}

/** The sources of what a package exports: `.` is src/index.ts, `./wasm` is src/entries/wasm.ts. */
function entriesOf(folder: string): string[] {
  const manifest = readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8');
  const { exports } = JSON.parse(manifest) as { exports: Record<string, unknown> };
  return (
    Object.keys(exports)
      // `./platform` is what the packages themselves need of Node or of a page.
      .filter((entry) => entry !== './package.json' && entry !== './platform')
      .map((entry) => (entry === '.' ? 'index.ts' : `entries/${entry.slice(2)}.ts`))
      .map((file) => join(root, 'packages', folder, 'src', file))
  );
}

let passed = 0;
const complaints: string[] = [];
/** A symbol that several entries export is checked once. */
const seen = new Set<ts.Symbol>();

function check(name: string, symbol: ts.Symbol, declaration: ts.Declaration): void {
  const reason = lack(symbol, declaration);
  if (!reason) {
    passed++;
    return;
  }
  const source = declaration.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(declaration.getStart());
  complaints.push(`${relative(root, source.fileName)}:${line + 1}: ${name}: ${reason}`);
}

for (const index of indexes) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(index)!)!;
  for (const exported of checker.getExportsOfModule(module)) {
    const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
    const [declaration] = symbol.declarations ?? [];
    if (!declaration || seen.has(symbol)) continue;
    seen.add(symbol);
    check(symbol.name, symbol, declaration);
    for (const method of methodsOf(declaration)) {
      const member = checker.getSymbolAtLocation(method.name)!;
      check(`${symbol.name}.${member.name}`, member, method);
    }
  }
}

for (const complaint of complaints) console.error(complaint);
console.log(`${passed} passed, ${complaints.length} failed`);
process.exitCode = complaints.length > 0 ? 1 : 0;
