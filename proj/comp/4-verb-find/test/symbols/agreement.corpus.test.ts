import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { contextFor } from '../../../5-executor/test/verbs/golden-harness.js'
import { definitionAgreement, randomNumbers, sample, symbolAgreement } from './agreement.js'

/** An npm package that ships its TypeScript source. `npm run trial:symbols` compares all of it. */
const sources = realpathSync(fileURLToPath(new URL('../../../../node_modules/ajv/lib', import.meta.url)))
const [NAMES, IDENTIFIERS] = isCampaign ? [40, 25] : [10, 5]
const context = contextFor(sources, 'disk', { maxMatches: 10_000, maxFileBytes: 1_000_000 })

it('find_symbol finds what the compiler declares: names of ajv', async () => {
  const { names, precision, recall } = await symbolAgreement(sources, context, (all) => sample(all, NAMES, randomNumbers(1)))
  expect(names).toBe(NAMES)
  expect(precision).toBeGreaterThanOrEqual(0.98)
  expect(recall).toBeGreaterThanOrEqual(0.98)
})

it('get_definition answers as the language service: identifiers of ajv', async () => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler, allowJs: true, noEmit: true, resolveJsonModule: true,
  }
  const { sampled, differences } = await definitionAgreement(sources, options, context, IDENTIFIERS, 1)
  expect(sampled).toBe(IDENTIFIERS)
  expect(differences).toEqual([])
})
