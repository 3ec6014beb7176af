import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { contextFor } from '../../../5-executor/test/verbs/golden-harness.js'
import { diskHost, randomNumbers, sample } from '../symbols/agreement.js'
import { compilerSymbols, typescriptSources } from '../symbols/compiler-symbols.js'
import { referencesOf } from './references-of.js'

/** An npm package that ships its TypeScript source. `npm run trial:references` compares more, and Python. */
const sources = realpathSync(fileURLToPath(new URL('../../../../node_modules/ajv/lib', import.meta.url)))
const NAMES = isCampaign ? 12 : 3

it('references are those that the language service finds with all files at once', async () => {
  const context = contextFor(sources, 'disk', { maxMatches: 10_000, maxFileBytes: 1_000_000 })
  const session = { ...context, session: { ...context.session, kept: new Map() } }
  const service = serviceOver(sources)
  const names = [...compilerSymbols(sources).keys()].filter((name) => /^[A-Za-z]\w{3,}$/.test(name))
  const missing: string[] = []
  let [found, right, wanted] = [0, 0, 0]
  for (const name of sample(names, NAMES, randomNumbers(5))) {
    const { definitions, references } = await referencesOf(name, session)
    const own = new Set(definitions.map(keyOf))
    const truth = new Set(definitions.flatMap((each) => referencesBy(service, each)).filter((key) => !own.has(key)))
    const got = new Set(references.filter(({ resolved }) => resolved).map(keyOf))
    found += got.size
    wanted += truth.size
    for (const key of truth) if (got.has(key)) right++
    else missing.push(`${name} ${key}`)
  }
  service.dispose()
  expect(wanted).toBeGreaterThan(0)
  expect(missing.slice(0, right * 0.05 + 1)).toEqual(missing)
  expect(right / found).toBeGreaterThanOrEqual(0.98)
}, 300_000)

function referencesBy(service: ts.LanguageService, { path, line, column }: Place): string[] {
  const source = service.getProgram()?.getSourceFile(path)
  const position = source?.getPositionOfLineAndCharacter(line - 1, column - 1) ?? 0
  return (service.findReferences(path, position) ?? []).flatMap(({ references }) => references.map((each) => {
    const file = service.getProgram()?.getSourceFile(each.fileName)
    const at = file?.getLineAndCharacterOfPosition(each.textSpan.start) ?? { line: 0, character: 0 }
    return keyOf({ path: each.fileName, line: at.line + 1, column: at.character + 1 })
  })).filter((key) => key.includes(sources))
}

interface Place { path: string; line: number; column: number }

function keyOf({ path, line, column }: Place): string {
  return `${path}:${line}:${column}`
}

function serviceOver(directory: string): ts.LanguageService {
  const files = typescriptSources(directory).map((file) => join(directory, file))
  return ts.createLanguageService(diskHost(directory, files, {
    target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve, allowJs: true, noEmit: true,
    moduleResolution: ts.ModuleResolutionKind.Bundler, resolveJsonModule: true,
  }))
}
