import { randomBytes } from 'node:crypto'
import { isRecord } from '../../../0-contracts/src/index.js'
import type { MessageId } from './rpc-messages.js'

/**
 * An id goes back as it came, also where JavaScript has no such number: above 2^53 it would be rounded, and the other
 * side would not know it again. Within hermes such an id is a text that begins with this, which nobody else can write.
 */
const MARK_NAME = randomBytes(16).toString('hex')
const MARK = `\0${MARK_NAME}:`
const MARKED = new RegExp(String.raw`"\\u0000${MARK_NAME}:([-+.\deE]+)"`, 'g')
/** In JSON, also where the name is written by numbers: within a text the quotation marks of a name have backslashes. */
const NUMBERED_ID = /(?<!\\)("(?:i|\\u0069)(?:d|\\u0064)"\s*:\s*)(-?\d[-+.\deE]*)/g

/** Parses a message, or a batch of them. @throws SyntaxError */
export function parseMessage(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (!messages.some((message) => holders(message).some(isRounded))) return value
  const marked: unknown = JSON.parse(text.replaceAll(
    NUMBERED_ID, (_, name: string, digits: string) => `${name}${JSON.stringify(MARK + digits)}`,
  ))
  const exact: readonly unknown[] = Array.isArray(marked) ? marked : [marked]
  for (const [index, message] of messages.entries()) {
    const others = holders(exact[index])
    for (const [place, holder] of holders(message).entries()) {
      if (isRounded(holder)) holder['id'] = others[place]?.['id']
    }
  }
  return value
}

/** @throws TypeError for what has no form in JSON */
export function writeMessage(message: unknown): string {
  const text = JSON.stringify(message)
  return text.includes(MARK_NAME) ? text.replaceAll(MARKED, '$1') : text
}

/** For a sentence. */
export function showId(id: MessageId): string {
  return typeof id === 'string' && id.startsWith(MARK) ? id.slice(MARK.length) : JSON.stringify(id)
}

/** What has an id of a request: the message, and params that name another request. */
function holders(message: unknown): Record<string, unknown>[] {
  if (!isRecord(message)) return []
  const { params } = message
  return message['method'] === '$/cancelRequest' && isRecord(params) ? [message, params] : [message]
}

/** Whole numbers within 2^53 are what was written. */
function isRounded({ id }: Record<string, unknown>): boolean {
  return typeof id === 'number' && !Number.isSafeInteger(id)
}
