import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lineFeeds } from '../../../0-text/src/index.js'
import { parse } from '../../../1-reading/src/parsers/index.js'
import { shamBlock } from '../../../1-registry/src/registry/index.js'
import { answerHash, answerOf, lookAt, withSummary } from '../../src/watch/answer-text.js'

const ANSWER = `Words.\n\n${shamBlock('abc', 'file_write', { path: '/w/a', content: 'x' })}`
/** What may stand in a summary: names and messages come from models. */
const PIECES = [
  '-->', '--!>', '<!--', '</think>', '<think>', '```', '~~~~', '#!SHAM [@three-char-SHA-256: zzz]', '#!END_SHAM_zzz', '<tool_call>{}</tool_call>',
  '--', '->', '>', '-', ' ', '\n', '\r', '\r\n', '\u2028', 'a', '✓  abc', '<<\'EOT_SHAM_abc\'',
]
const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''))

it('a summary above an answer changes neither its blocks nor what it is taken for, whatever stands in it', () => {
  fc.assert(fc.property(hostile, fc.array(hostile, { maxLength: 6 }), fc.boolean(), (title, lines, hasMark) => {
    const mark = hasMark ? '\uFEFF' : ''
    const whole = withSummary({ mark, text: ANSWER }, title, lines)
    expect(answerOf(whole)).toEqual({ mark, text: ANSWER })
    // An editor may turn the line breaks.
    expect(answerHash(answerOf(whole.replaceAll('\n', '\r\n')).text)).toBe(answerHash(ANSWER.replaceAll('\n', '\r\n')))
    const { blocks, errors } = parse(whole)
    expect([blocks.map(({ id, params }) => ({ id, params })), errors]).toEqual([parse(ANSWER).blocks.map(({ id, params }) => ({ id, params })), []])
    expect(withSummary(answerOf(whole), title, lines)).toBe(whole)
  }))
})

it.each([
  ['Some words.', { hasBlocks: false, isCutOff: false, skipped: 0 }],
  [ANSWER, { hasBlocks: true, isCutOff: false, skipped: 0 }],
  [ANSWER.slice(0, -20), { hasBlocks: true, isCutOff: true, skipped: 0 }],
  [`\`\`\`markdown\n${ANSWER}\n\`\`\`\n`, { hasBlocks: false, isCutOff: false, skipped: 1 }],
  ['```yaml hermes\nverb: fs.exists\n', { hasBlocks: true, isCutOff: true, skipped: 0 }],
])('%j is looked at', (text, look) => {
  expect(lookAt(text, {})).toEqual(look)
})

it('a summary above an answer that was saved with CRLF has CRLF too, and the file is read as with LF', () => {
  const text = ANSWER.replaceAll('\n', '\r\n')
  const whole = withSummary({ mark: '', text }, 'run', ['one', 'two'])
  expect(whole.replaceAll('\r\n', '')).not.toContain('\n')
  expect(withSummary(answerOf(whole), 'run', ['one', 'two'])).toBe(whole)
  expect(parse(lineFeeds(whole)).blocks.map(({ params }) => params)).toEqual(parse(ANSWER).blocks.map(({ params }) => params))
})

it('spaces and line breaks at the end make no other answer, nor does CRLF throughout; anything else does', () => {
  expect(answerHash(ANSWER.replaceAll('\n', '\r\n'))).toBe(answerHash(ANSWER))
  expect(answerHash(`${ANSWER} \n\n`)).toBe(answerHash(ANSWER))
  expect(answerHash(` ${ANSWER}`)).not.toBe(answerHash(ANSWER))
})
