import { isRecord, parseJson } from '../../../../0-contracts/src/index.js'
import type { Headers } from './rate-limits.js'

/**
 * An error reported by the server: a status other than 2xx, or an error within an answer. The message is the server's
 * own and may repeat the key: mask it before showing it (`judgeFailure` does).
 */
export class ServerError extends Error {
  /** The server's own code: a word such as `context_length_exceeded`, a number, or nothing. */
  readonly code: unknown
  /** Its `type`, which some servers give in place of a code. */
  readonly kind: unknown

  /**
   * @param status `undefined` if it was sent before the failure
   * @param told the error object of the body, in the form of OpenAI's API
   * @param text the body, where it has no such object
   */
  constructor(readonly status: number | undefined, told: unknown, readonly headers: Headers, text = '') {
    super([status, messageOf(told, text) || 'status code (no body)'].filter((part) => part !== undefined).join(' '))
    this.name = 'ServerError'
    this.code = isRecord(told) ? told['code'] : undefined
    this.kind = isRecord(told) ? told['type'] : undefined
  }
}

/** The error in the body of an error response. */
export function refusal(status: number, body: string, headers: Headers): ServerError {
  // Proxies answer with HTML pages.
  const parsed = parseJson(body)
  // Gemini wraps the object in a list.
  const document: unknown = Array.isArray(parsed) ? parsed[0] : parsed
  // vLLM used to send the error object itself, not wrapped.
  const told = isRecord(document) ? document['error'] ?? (document['message'] ? document : undefined) : undefined
  return new ServerError(status, told, headers, document ? '' : body)
}

function messageOf(told: unknown, text: string): string {
  const message = isRecord(told) ? told['message'] : undefined
  if (message) return typeof message === 'string' ? message : JSON.stringify(message)
  return told ? JSON.stringify(told) : text
}
