import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { addPackages, HermesError } from '../../../0-contracts/src/index.js'
import { findPackage } from '../find-package.js'
import { loadPinned } from '../pinned-module.js'

type TypeScript = typeof import('typescript')

const PACKAGE = 'typescript'
const CODE = 'lib/typescript.js'

/** Whether a file is TypeScript. */
export function isTyped(path: string): boolean {
  return /\.m?ts$/.test(path)
}

/** Whether this Node strips types itself (22.18 and later). */
export function nodeTakesTypes(): boolean {
  return Boolean((process.features as { typescript?: unknown }).typescript)
}

/**
 * Compiles a TypeScript module, and those it imports by relative paths, to JavaScript; by URL.
 *
 * @throws HermesError `NOT_INSTALLED` without the package for it, `INVALID_OPTION` for what cannot be read
 */
export function typedSources(path: string): Record<string, string> {
  const typescript = loadTypeScript()
  const sources: Record<string, string> = {}
  const left = [pathToFileURL(path).href]
  for (let url = left.pop(); url !== undefined; url = left.pop()) {
    if (url in sources) continue
    const file = fileURLToPath(url)
    const text = readFileSync(file, 'utf8')
    sources[url] = withoutTypes(typescript, file, text)
    for (const { fileName } of typescript.preProcessFile(text).importedFiles) {
      const imported = /^\.{1,2}\//.test(fileName) ? new URL(fileName, url).href : undefined
      if (imported !== undefined && isTyped(imported) && existsSync(fileURLToPath(imported))) left.push(imported)
    }
  }
  return sources
}

function withoutTypes(typescript: TypeScript, fileName: string, text: string): string {
  const { outputText, diagnostics = [] } = typescript.transpileModule(text, {
    fileName, reportDiagnostics: true,
    compilerOptions: { module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2022 },
  })
  const [first] = diagnostics
  if (first === undefined) return outputText
  const at = typescript.getLineAndCharacterOfPosition(first.file ?? typescript.createSourceFile(
    fileName, text, typescript.ScriptTarget.ES2022,
  ), first.start ?? 0)
  const message = typescript.flattenDiagnosticMessageText(first.messageText, ' ')
  throw new HermesError('INVALID_OPTION', `${fileName}:${at.line + 1}:${at.character + 1}: ${message}`)
}

function loadTypeScript(): TypeScript {
  const directory = findPackage(PACKAGE)
  if (directory === undefined || !existsSync(join(directory, CODE))) {
    throw new HermesError('NOT_INSTALLED', `Node ${process.versions.node} takes no TypeScript, and the package `
      + `${PACKAGE} is not installed`, {
      hint: `Compile it to a .js file, use Node 22.18 or later, or let hermes do it: ${addPackages(PACKAGE)}.`,
    })
  }
  return loadPinned(PACKAGE, directory, CODE) as TypeScript
}
