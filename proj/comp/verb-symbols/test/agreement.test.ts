import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { contextFor } from '../../verbs/test/golden-harness.js'
import { definitionAgreement, randomNumbers, sample, symbolAgreement } from './agreement.js'

/** An npm package that ships its TypeScript source. `npm run trial:symbols` compares all of it. */
const sources = realpathSync(fileURLToPath(new URL('../../../node_modules/ajv/lib', import.meta.url)))
const context = contextFor(sources, 'disk', { maxMatches: 10_000, maxFileBytes: 1_000_000 })

it('find_symbol finds what the compiler declares: 40 names of ajv', async () => {
  const { names, precision, recall } = await symbolAgreement(sources, context, (all) => sample(all, 40, randomNumbers(1)))
  expect(names).toBe(40)
  expect(precision).toBeGreaterThanOrEqual(0.98)
  expect(recall).toBeGreaterThanOrEqual(0.98)
}, 120_000)

it('get_definition answers as the language service: 25 identifiers of ajv', async () => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler, allowJs: true, noEmit: true, resolveJsonModule: true,
  }
  const { sampled, differences } = await definitionAgreement(sources, options, context, 25, 1)
  expect(sampled).toBe(25)
  expect(differences).toEqual([])
}, 120_000)
