import { expect, it } from 'vitest'
import { spread } from '../../../test/support/campaign.js'
import { findIdentifiers, GRAMMAR_IDS, parseDefinitions, ParseTime } from '../src/index.js'
import { DEEP, NAMED } from './deep-code.js'

/** However busy the machine is. */
const patient = (): ParseTime => new ParseTime(Infinity, Infinity)

it.each(spread(GRAMMAR_IDS.map((language, index) => [language, '[({'[index % 3] ?? ''] as const), 10))(
  '%s: ends over broken code (%s) that queries take long for, and parses on', async (language, bracket) => {
  const time = new ParseTime(0)
  const broken = bracket.repeat(80_000)
  const outcome = parseDefinitions(language, broken, time).catch((error: { code: string }) => error.code)
  expect([[], 'TIMEOUT', 'FILE_TOO_LARGE']).toContainEqual(await outcome)
  const places = findIdentifiers(language, `${broken} zz`, 'zz', time).catch((error: { code: string }) => error.code)
  expect(['TIMEOUT', 'FILE_TOO_LARGE', 0, 1]).toContain(await places.then((found) => (
    typeof found === 'string' ? found : found.length
  )))
  const [text, count] = DEEP[language]
  expect(await parseDefinitions(language, text, patient())).toHaveLength(count)
})

it.each(spread([
  ['python', 'a = '.repeat(250_000)], ['cpp', `int ${'a::'.repeat(300_000)}x;`], ['c', `int ${'*'.repeat(900_000)}p;`],
] as const, 3))('%s: ends over long chains', async (language, text) => {
  const outcome = await parseDefinitions(language, text).then(() => 'done', (error: { code: string }) => error.code)
  expect(['done', 'TIMEOUT', 'FILE_TOO_LARGE']).toContain(outcome)
})

it.each(spread(GRAMMAR_IDS, 8))('%s: the first of many definitions is found by its name', async (language) => {
  const text = language === 'python' ? NAMED : DEEP[language][0]
  const [first] = await parseDefinitions(language, text, patient())
  const places = await findIdentifiers(language, text, first?.name ?? '', patient())
  expect(places[0]).toEqual({ line: first?.nameLine, column: first?.nameColumn })
})
