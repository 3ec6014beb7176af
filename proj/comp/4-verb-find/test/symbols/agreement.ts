import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import type { VerbContext } from '../../../0-contracts/src/index.js'
import { findSymbol } from '../../src/symbols/find-symbol.js'
import { getDefinition } from '../../src/symbols/get-definition.js'
import { compilerSymbols, typescriptSources } from './compiler-symbols.js'

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** `count` of the items, or all where there are fewer. */
export function sample<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const rest = [...items]
  return Array.from({ length: Math.min(count, items.length) }, () => (
    rest.splice(Math.floor(random() * rest.length), 1)
  )).flat()
}

export interface SymbolAgreement {
  names: number
  /** Of the compiler's list. */
  declarations: number
  found: number
  precision: number
  recall: number
  /** What one of the two has and the other has not. */
  differences: string[]
}

/**
 * Calls find_symbol for names the compiler declares in the sources of a directory, which is the root, and compares
 * place, kind and name of what it finds.
 */
export async function symbolAgreement(
  directory: string, context: VerbContext, select: (names: string[]) => string[] = (names) => names,
): Promise<SymbolAgreement> {
  const declared = compilerSymbols(directory)
  // A dot separates containers for find_symbol.
  const names = select([...declared.keys()].filter((name) => !/[.:]/.test(name)))
  const differences: string[] = []
  let [declarations, found, both] = [0, 0, 0]
  for (const name of names) {
    const wanted = declared.get(name) ?? new Set()
    const { symbols } = await findSymbol.handler({
      symbol_name: name, path: '.', include_references: false, match: 'exact', max_results: 1000, offset: 0,
    }, context)
    const got = new Set(symbols
      .filter(({ path }) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
      .map(({ path, line, column, kind }) => `${path}:${line}:${column} ${kind} ${name}`))
    declarations += wanted.size
    found += got.size
    both += [...got].filter((key) => wanted.has(key)).length
    for (const key of got) if (!wanted.has(key)) differences.push(`only find_symbol: ${key}`)
    for (const key of wanted) if (!got.has(key)) differences.push(`only the compiler: ${key}`)
  }
  return { names: names.length, declarations, found, precision: both / found, recall: both / declarations, differences }
}

export interface DefinitionAgreement {
  sampled: number
  agreed: number
  /** Of those: the language service has a definition. */
  defined: number
  differences: string[]
}

/** Calls get_definition at identifiers of the sources of a directory, and asks the language service the same. */
export async function definitionAgreement(
  directory: string, options: ts.CompilerOptions, context: VerbContext, count: number, seed: number,
): Promise<DefinitionAgreement> {
  const files = typescriptSources(directory).map((file) => join(directory, file))
  const service = ts.createLanguageService(diskHost(directory, files, options), ts.createDocumentRegistry())
  const random = randomNumbers(seed)
  const identifiers = files.flatMap((file) => identifiersOf(service.getProgram()?.getSourceFile(file)))
  const differences: string[] = []
  let defined = 0
  const sampled = sample(identifiers, count, random)
  for (const { file, line, column, start, name } of sampled) {
    const wanted = (service.getDefinitionAtPosition(file, start) ?? []).map((info) => placeOf(info, directory, service))
    const got = await placesFound(file.slice(directory.length + 1), line, column, context)
    if (wanted.length > 0) defined++
    if (wanted.sort().join() === got.sort().join()) continue
    differences.push(`${file.slice(directory.length + 1)}:${line}:${column} ${name}: ${got.join()} for ${wanted.join()}`)
  }
  service.dispose()
  return { sampled: sampled.length, agreed: sampled.length - differences.length, defined, differences }
}

async function placesFound(file_path: string, line: number, column: number, context: VerbContext): Promise<string[]> {
  try {
    const { definitions } = await getDefinition.handler({ file_path, line, column }, context)
    return definitions.map((one) => `${one.path}:${one.line}:${one.column}`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'TEXT_NOT_FOUND') return []
    throw error
  }
}

function placeOf({ fileName, textSpan }: ts.DefinitionInfo, directory: string, service: ts.LanguageService): string {
  const source = service.getProgram()?.getSourceFile(fileName)
  const { line = 0, character = 0 } = source?.getLineAndCharacterOfPosition(textSpan.start) ?? {}
  const isInside = fileName.startsWith(`${directory}/`)
  const shown = isInside ? fileName.slice(directory.length + 1) : fileName.slice(fileName.lastIndexOf('/') + 1)
  return `${shown}:${line + 1}:${character + 1}`
}

interface Identifier {
  file: string
  name: string
  start: number
  line: number
  column: number
}

function identifiersOf(source: ts.SourceFile | undefined): Identifier[] {
  const found: Identifier[] = []
  const visit = (node: ts.Node): void => {
    if (source && ts.isIdentifier(node) && node.text !== '') {
      const start = node.getStart(source)
      const { line, character } = source.getLineAndCharacterOfPosition(start)
      found.push({ file: source.fileName, name: node.text, start, line: line + 1, column: character + 1 })
    }
    ts.forEachChild(node, visit)
  }
  if (source) visit(source)
  return found
}

/** As a program has it that knows nothing of hermes: all files at once, straight from the disk. */
export function diskHost(directory: string, files: string[], options: ts.CompilerOptions): ts.LanguageServiceHost {
  return {
    ...ts.sys,
    getCompilationSettings: () => options,
    getScriptFileNames: () => files,
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = ts.sys.fileExists(path) ? readFileSync(path, 'utf8') : undefined
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => directory,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  }
}
