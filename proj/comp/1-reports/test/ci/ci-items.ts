import fc from 'fast-check'
import type { CiItem } from '../../src/ci/index.js'

const TEXT = fc.string({ unit: 'binary', maxLength: 40 })
const MAYBE_TEXT = fc.option(TEXT, { nil: undefined })
const LINE = fc.option(fc.integer({ min: 1, max: 9999 }), { nil: undefined })

/** Any item, with texts of any characters: names of files and messages are anyone's. */
export const CI_ITEM: fc.Arbitrary<CiItem> = fc.record({
  outcome: fc.constantFrom('passed', 'failed', 'error', 'skipped'),
  name: TEXT, file: MAYBE_TEXT, line: LINE, endLine: LINE, durationMs: fc.integer({ min: 0, max: 1e7 }),
  code: fc.option(fc.string({ minLength: 1, maxLength: 20 }), { nil: undefined }), message: MAYBE_TEXT, details: MAYBE_TEXT, notes: fc.array(TEXT, { maxLength: 2 }),
  properties: fc.array(fc.record({ name: TEXT, value: TEXT }), { maxLength: 2 }),
})
