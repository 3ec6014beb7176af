import { createContext, runInContext } from 'node:vm'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** What a browser has besides the language itself, as far as the core may use it. */
const WEB_GLOBALS = { TextEncoder, TextDecoder, URL, AbortController, AbortSignal, structuredClone, console }
const NODE_GLOBALS = [
  'process', 'Buffer', 'require', 'module', 'exports', 'global', '__dirname', '__filename', 'setImmediate',
]

const bundle = await bundleCore()

it('the core imports nothing of Node', () => {
  expect(bundle.imports).toEqual([])
  expect(bundle.code).not.toMatch(/['"]node:/)
})

it('the core uses no global of Node', () => {
  expect(freeNames('const a = process; Buffer.from(b.global)')).toEqual(['Buffer', 'b', 'process'])
  expect(freeNames(bundle.code).filter(name => NODE_GLOBALS.includes(name))).toEqual([])
})

it('the core parses a text where there is no Node', () => {
  const context = createContext({ ...WEB_GLOBALS })
  runInContext(bundle.code, context)
  const text = [
    '#!SHAM [@three-char-SHA-256: abc]', 'action = "file_write"', 'path = "/a"', "content = <<'EOT_SHAM_abc'", 'text é',
    'EOT_SHAM_abc', '#!END_SHAM_abc', '', '```yaml hermes', 'verb: fs.readFile', 'arguments:', '  path: a', '```', '',
  ].join('\n')
  const found = runInContext(`JSON.stringify(core.parse(${JSON.stringify(text)}))`, context) as string
  expect(JSON.parse(found)).toMatchObject({
    blocks: [
      { id: 'abc', action: 'file_write', params: { path: '/a', content: 'text é' }, startLine: 1, endLine: 7 },
      { id: 'b1', action: 'fs.readFile', params: { path: 'a' } },
    ],
    errors: [],
    skipped: [],
  })
})

it('the core derives schemas where there is no Node', () => {
  const context = createContext({ ...WEB_GLOBALS })
  runInContext(bundle.code, context)
  const found = runInContext(`(() => {
    const schema = { kind: 'schema', type: 'strict_object', entries: {}, async: false, '~run': dataset => dataset }
    const verb = core.defineVerb({
      name: 'zoo.open', vocabulary: 'hermes', description: 'Open it.', category: 'zoo', version: '1.0.0', type: 'meta',
      accessibility: ['llm'], constraints: [], primary: undefined, args: schema, result: schema, examples: [{}], handler: () => ({}),
    })
    return JSON.stringify([core.renderIdl([verb]), core.openAiTool(verb).function.name, core.argsJsonSchema(verb).type])
  })()`, context) as string
  const types = 'type ZooOpenArgs\n{\n}\ntype ZooOpenResult\n{\n  succeeded?: boolean\n  errorMessage?: string\n  errorCode?: string\n  hint?: string\n  warnings?: string[]\n}\n'
  expect(JSON.parse(found)).toEqual([`// Open it.\n${types}`, 'zoo_open', 'object'])
})

async function bundleCore(): Promise<{ code: string; imports: string[] }> {
  const build = await rolldown({
    input: fileURLToPath(new URL('../../src/core.ts', import.meta.url)), platform: 'browser', logLevel: 'silent',
  })
  const { output: [chunk, ...others] } = await build.generate({ format: 'iife', name: 'core', codeSplitting: false })
  await build.close()
  expect(others).toEqual([])
  return { code: chunk.code, imports: [...chunk.imports, ...chunk.dynamicImports] }
}

/** The names a script uses that it declares nowhere, sorted. */
function freeNames(code: string): string[] {
  const file = ts.createSourceFile('bundle.js', code, ts.ScriptTarget.ESNext, true)
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost({}),
    getSourceFile: name => (name === file.fileName ? file : undefined),
  }
  const options = { allowJs: true, noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.ESNext }
  const checker = ts.createProgram([file.fileName], options, host).getTypeChecker()
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isReference(node) && !checker.getSymbolAtLocation(node)) names.add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...names].sort()
}

/** Not the name after a dot or before a colon. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  return !ts.isTypeOfExpression(parent)
}
