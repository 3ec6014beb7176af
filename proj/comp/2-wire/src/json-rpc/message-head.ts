import { parseJson } from '../../../0-contracts/src/index.js'
import type { MessageId } from './rpc-messages.js'

/** The beginning of a message, enough to answer it. */
export interface MessageHead {
  id: MessageId
  /** It answers an own request. */
  isAnswer: boolean
}

/** Number of bytes of a message to read for this. */
export const HEAD_BYTES = 1024

const MEMBER = /\s*"([^"\\]*)"\s*:\s*(?:("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)\s*,|)/y

/** Reads the members up to the first that is no plain value, or is cut off. */
export function messageHead(begun: Buffer): MessageHead | undefined {
  const text = begun.toString('utf8')
  const brace = /^\s*\{/.exec(text)
  if (!brace) return undefined
  const member = new RegExp(MEMBER)
  member.lastIndex = brace[0].length
  const names = new Set<string>()
  let id: unknown
  for (let match = member.exec(text); match; match = member.exec(text)) {
    const [, name = '', value] = match
    names.add(name)
    if (value === undefined) break
    if (name === 'id') id = parseJson(value)
  }
  const isId = typeof id === 'string' || Number.isSafeInteger(id)
  return isId ? { id: id as MessageId, isAnswer: !names.has('method') && (names.has('result') || names.has('error')) }
    : undefined
}
