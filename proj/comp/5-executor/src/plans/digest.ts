import { createHash } from 'node:crypto'
import { isRecord } from '../../../0-contracts/src/index.js'

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Of a value of JSON; the order of names does not count. */
export function digestOf(value: unknown): string {
  return sha256(JSON.stringify(sorted(value)))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.entries(value).filter(([, inner]) => inner !== undefined).sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)])
}
