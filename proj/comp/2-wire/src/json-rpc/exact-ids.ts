import { randomBytes } from 'node:crypto'
import { isRecord } from '../../../0-contracts/src/index.js'
import type { MessageId } from './rpc-messages.js'

/**
 * An id must be returned exactly, even if JavaScript has no such number: above 2^53 it would be rounded, and the other
 * side would not recognise it. Internally such an id is a string with this random prefix, which nobody else can
 * produce.
 */
const MARK_NAME = randomBytes(16).toString('hex')
const MARK = `\0${MARK_NAME}:`
const MARKED = new RegExp(String.raw`"\\u0000${MARK_NAME}:([-+.\deE]+)"`, 'g')
/** A numeric id in JSON, also with an escaped name; inside a string the quotes of a name are escaped. */
const NUMBERED_ID = /(?<!\\)("(?:i|\\u0069)(?:d|\\u0064)"\s*:\s*)(-?\d[-+.\deE]*)/g

/**
 * Parses a message, or a batch.
 *
 * @throws SyntaxError
 */
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

/** @throws TypeError for what has no JSON form */
export function writeMessage(message: unknown): string {
  const text = JSON.stringify(message)
  return text.includes(MARK_NAME) ? text.replaceAll(MARKED, '$1') : text
}

/** The id for messages. */
export function showId(id: MessageId): string {
  return typeof id === 'string' && id.startsWith(MARK) ? id.slice(MARK.length) : JSON.stringify(id)
}

/** Objects that hold a request id: the message, and params that refer to another request. */
function holders(message: unknown): Record<string, unknown>[] {
  if (!isRecord(message)) return []
  const { params } = message
  return message['method'] === '$/cancelRequest' && isRecord(params) ? [message, params] : [message]
}

/** Whether a number may have been rounded; safe integers were not. */
function isRounded({ id }: Record<string, unknown>): boolean {
  return typeof id === 'number' && !Number.isSafeInteger(id)
}
