import fc from 'fast-check'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import { bytesOfLine, frame, openWire } from './wire.js'

const CASES = readGoldens(new URL('../../test-data/json-rpc/framing.cases.md', import.meta.url)).map(({ name, fences }) => ({
  name,
  pieces: linesOf(fences, 'wire').map(bytesOfLine),
  answers: linesOf(fences, 'answers').map((line) => JSON.parse(line) as unknown),
}))
const ALIVE = { jsonrpc: '2.0', id: 'alive', method: 'echo', params: ['yes'] }
const LIVES = { jsonrpc: '2.0', id: 'alive', result: ['yes'] }

it.each(CASES)('$name', async ({ pieces, answers }) => {
  expect(await answersTo(pieces)).toEqual(expected(answers))
})

it.each(CASES.filter(({ pieces }) => pieces.every(({ length }) => length < 1000)))('$name: however it is cut', async ({ pieces, answers }) => {
  const whole = Buffer.concat(pieces)
  await fc.assert(fc.asyncProperty(fc.array(fc.integer({ min: 1, max: whole.length }), { maxLength: 5 }), async (cuts) => {
    const places = [0, ...cuts.toSorted((one, other) => one - other), whole.length]
    const cut = places.slice(1).map((place, index) => whole.subarray(places[index], place))
    expect(codesOf(await answersTo(cut))).toEqual(codesOf(expected(answers)))
  }), { numRuns: 10 })
  expect(codesOf(await answersTo([...whole].map((byte) => Buffer.of(byte))))).toEqual(codesOf(expected(answers)))
})

it('finds every message between anything that is none', async () => {
  const noise = fc.oneof(
    fc.string({ maxLength: 60 }), fc.constantFrom('\r\n', '\n', '{}', 'Content-Length', 'Content-Length: 5\n\n', '\r\n\r\n', 'Content-Length: 9999\r\n\r\n', 'Content-Length: 64000000\r\n\r\n', 'Content-Length: 99\r\nContent-Type: a; charset=latin1\r\n\r\n'),
  )
  await fc.assert(fc.asyncProperty(fc.array(noise, { maxLength: 6 }), async (noises) => {
    const pieces = noises.flatMap((text, id) => [Buffer.from(text), frame(JSON.stringify({ ...ALIVE, id }))])
    const answers = await answersTo(pieces)
    const ids = answers.map((answer) => (answer as { id: unknown }).id).filter((id) => id !== null)
    expect(ids).toEqual([...noises.keys(), 'alive'])
  }), { numRuns: 200 })
})

it('writes the header and the bytes that seed 001 shows', async () => {
  const { input, output, connection } = openWire()
  const chunks: Buffer[] = []
  output.on('data', (chunk: Buffer) => chunks.push(chunk))
  input.write(frame('{"jsonrpc":"2.0","id":1,"method":"echo","params":["ü🦉"]}'))
  while (chunks.length === 0) await setImmediate()
  expect(Buffer.concat(chunks).toString()).toBe('Content-Length: 44\r\n\r\n{"jsonrpc":"2.0","id":1,"result":["ü🦉"]}')
  connection.close()
})

async function answersTo(pieces: readonly Buffer[]): Promise<unknown[]> {
  const { input, answers, answered, connection } = openWire()
  for (const piece of pieces) {
    input.write(piece)
    if (pieces.length < 20) await setImmediate()
  }
  input.write(frame(JSON.stringify(ALIVE)))
  while (!answers.some((answer) => (answer as { id?: unknown }).id === 'alive')) await answered(answers.length + 1)
  connection.close()
  return answers
}

/** With `…` for the rest of a message, since Node words the errors of JSON. */
function expected(answers: readonly unknown[]): unknown[] {
  return [...answers, LIVES].map((answer) => JSON.parse(JSON.stringify(answer), (_, value: unknown) => (
    typeof value === 'string' && value.endsWith('…') ? expect.stringMatching(new RegExp(`^${escape(value.slice(0, -1))}`)) : value
  )) as unknown)
}

/** What was answered, without the words: where a piece ends decides how it is told. */
function codesOf(answers: readonly unknown[]): unknown[] {
  return answers.flatMap((answer) => {
    const { id, error } = answer as { id: unknown; error?: { code: number } }
    return Array.isArray(answer) ? [codesOf(answer)] : [{ id, code: error?.code }]
  })
}

function linesOf(fences: readonly { info: string; body: string }[], info: string): string[] {
  const body = fences.find((fence) => fence.info === info)?.body ?? ''
  return body.split('\n').filter((line) => line !== '')
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
