import { isRecord, parseJson } from '../../../../0-contracts/src/index.js'
import type { Headers } from './rate-limits.js'

/**
 * A failure that the server tells of: a status other than 2xx, or an error within an answer. The message is the
 * server's own and may repeat the key: mask it before anybody sees it (`judgeFailure` does).
 */
export class ServerError extends Error {
  /** `undefined` where the status was sent before the failure. */
  readonly status: number | undefined
  /** As the server gives it: a word such as `context_length_exceeded`, a number, or nothing. */
  readonly code: unknown
  /** Its `type`, which some servers tell in place of a code. */
  readonly kind: unknown
  readonly headers: Headers

  /**
   * @param told the error of the body, as OpenAI's interface has it
   * @param text what was sent instead
   */
  constructor(status: number | undefined, told: unknown, headers: Headers, text = '') {
    super([status, messageOf(told, text) || 'status code (no body)'].filter((part) => part !== undefined).join(' '))
    this.name = 'ServerError'
    this.status = status
    this.code = isRecord(told) ? told['code'] : undefined
    this.kind = isRecord(told) ? told['type'] : undefined
    this.headers = headers
  }
}

/** What the body of a refusal tells. */
export function refusal(status: number, body: string, headers: Headers): ServerError {
  // Proxies answer with pages.
  const parsed = parseJson(body)
  // Gemini answers with a list of one.
  const document: unknown = Array.isArray(parsed) ? parsed[0] : parsed
  // vLLM told of failures without the object around them.
  const told = isRecord(document) ? document['error'] ?? (document['message'] ? document : undefined) : undefined
  return new ServerError(status, told, headers, document ? '' : body)
}

function messageOf(told: unknown, text: string): string {
  const message = isRecord(told) ? told['message'] : undefined
  if (message) return typeof message === 'string' ? message : JSON.stringify(message)
  return told ? JSON.stringify(told) : text
}
