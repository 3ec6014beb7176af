import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseMessage, showId, writeMessage } from '../../src/json-rpc/exact-ids.js'

const hostile = fc.constantFrom('"id":9007199254740993', String.raw`\"id\": 1e999`, '{"id":18446744073709551617}', 'id', '\0', '\\')
const anything = fc.jsonValue({ maxDepth: 3 }).chain((value) => fc.record({ value: fc.constant(value), id: fc.oneof(hostile, fc.integer()), text: hostile }))
const digits = fc.oneof(
  fc.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 200n }).map(String), fc.bigInt({ min: -(2n ** 200n), max: -(2n ** 53n) - 1n }).map(String),
  fc.constantFrom('1e400', '-1E+309', '0.30000000000000000001', '9007199254740993.0'),
)

it('a message is written as it was read, whatever its id and whatever its params quote', () => {
  fc.assert(fc.property(anything, digits, fc.boolean(), (params, id, isLast) => {
    const rest = `"jsonrpc":"2.0","method":"m","params":${JSON.stringify(params)}`
    const text = isLast ? `{${rest},"id":${id}}` : `{"id":${id},${rest}}`
    const message = parseMessage(text) as { id: string; params: unknown }
    expect(message.params).toEqual(JSON.parse(JSON.stringify(params)))
    expect(showId(message.id)).toBe(id)
    expect(writeMessage(message)).toBe(text)
    expect(writeMessage(parseMessage(`[${text},${text}]`))).toBe(`[${text},${text}]`)
  }), { numRuns: 2000 })
})
