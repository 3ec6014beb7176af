import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked, type Tokens } from 'marked'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from '../support/packed.js'

const types = join(root, 'dist', 'types')
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: Record<string, unknown> }
const names = Object.keys(entries).filter((entry) => entry !== './package.json').map((entry) => (entry === '.' ? 'index' : entry.slice(2)))

/** Code in a page, as a module beside the packages that it imports. */
interface Fence {
  place: string
  file: string
  text: string
}

const pages = ['README.md', ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
const fences = pages.flatMap((page): Fence[] => {
  const codes: Tokens.Code[] = []
  const text = readFileSync(join(root, page), 'utf8')
  marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'code' && /^(?:[jt]s|javascript|typescript)\b/.test(String(token['lang']))) codes.push(token as Tokens.Code)
  })
  return codes.map((code) => {
    const line = text.slice(0, text.indexOf(code.raw)).split('\n').length
    const place = `${page}:${line}`
    return { place, file: join(root, 'proj', `${place.replaceAll(/\W/g, '-')}.mts`), text: `${code.text}\nexport {}\n` }
  })
})

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023, lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'], module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext, strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true, noEmit: true, skipLibCheck: true, types: ['node'], typeRoots: [join(root, 'proj', 'node_modules', '@types')],
  // As the package has them: a file of another package cannot import this one by its name.
  paths: { hermes: [join(types, 'index.d.ts')], 'hermes/*': [join(types, '*.d.ts')] },
}

/** The declarations as they are packed, and all code of the pages, in one program. */
function makeProgram(): ts.Program {
  const texts = new Map(fences.map(({ file, text }) => [file, text]))
  const host = ts.createCompilerHost(OPTIONS)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (file) => texts.has(file) || fileExists(file)
  host.readFile = (file) => texts.get(file) ?? readFile(file)
  host.getSourceFile = (file, version, ...rest) => {
    const text = texts.get(file)
    return text === undefined ? getSourceFile(file, version, ...rest)
      : ts.createSourceFile(file, text, typeof version === 'object' ? version : { languageVersion: version, impliedNodeFormat: ts.ModuleKind.ESNext })
  }
  return ts.createProgram([...names.map((name) => join(types, `${name}.d.ts`)), ...texts.keys()], OPTIONS, host)
}

let program: ts.Program
beforeAll(() => {
  if (!existsSync(types)) throw new Error('dist/types is missing: node proj/scripts/build.mjs --declarations')
  program = makeProgram()
}, 300_000)

describe('the code of the pages', () => {
  it('is found', () => expect(fences.length).toBeGreaterThan(15))

  it.each(fences)('$place compiles in strict TypeScript', ({ file }) => {
    const source = program.getSourceFile(file)
    const found = ts.getPreEmitDiagnostics(program, source)
    expect(found.map(({ messageText, start = 0 }) => (
      `${source!.getLineAndCharacterOfPosition(start).line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    ))).toEqual([])
  })
})

/** Made by hermes, and given to nobody but hermes: what their members are called is of no use outside. */
const INNER = new Set(['CommandSandbox', 'Delegates', 'ExtensionUi'])
/** Of the others some types have no name outside yet. */
const WHOLE = names.filter((name) => name !== 'agent' && name !== 'extension-host')

it.each(WHOLE)('%s, or hermes itself, exports each type that its declarations mention', (name) => {
  const checker = program.getTypeChecker()
  const resolved = (symbol: ts.Symbol): ts.Symbol => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
  const exportsOf = (entry: string): Map<ts.Symbol, string> => {
    const source = program.getSourceFile(join(types, `${entry}.d.ts`))
    return new Map(checker.getExportsOfModule(checker.getSymbolAtLocation(source!)!).map((each) => [resolved(each), each.name]))
  }
  const [exported, ofMain] = [exportsOf(name), exportsOf('index')]
  const missing = new Set<string>()
  const look = (node: ts.Node, within: string): void => {
    const mentioned = ts.isTypeReferenceNode(node) ? node.typeName : ts.isExpressionWithTypeArguments(node) ? node.expression : undefined
    const symbol = mentioned && ts.isIdentifier(mentioned) ? checker.getSymbolAtLocation(mentioned) : undefined
    if (symbol && !(symbol.flags & ts.SymbolFlags.TypeParameter)) {
      const meant = resolved(symbol)
      const isOurs = meant.declarations?.some((each) => each.getSourceFile().fileName.startsWith(types.replaceAll('\\', '/'))) ?? false
      if (isOurs && !INNER.has(within) && !exported.has(meant) && !ofMain.has(meant)) missing.add(`${meant.name} of ${within}`)
    }
    ts.forEachChild(node, (child) => look(child, within))
  }
  for (const [symbol, as] of exported) for (const declaration of symbol.declarations ?? []) look(declaration, as)
  expect([...missing].sort()).toEqual([])
})
