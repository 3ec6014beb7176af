import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { HermesError, parseJson } from '../../../0-contracts/src/index.js'
import type { Adapter } from './adapter.js'
import { headerOf, problemOfSignature, signatureOf } from './signatures.js'

const VERSION = 'v1'
const SHORTEST_SECRET = 16
const TRIES = 5
const FIRST_WAIT_MS = 500
const TIMEOUT_MS = 20_000

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most))
const MESSAGE = v.object({ id: text(200), conversation: text(200), user: text(200), text: text(100_000) })

export interface WebhookOptions {
  /** Signs both directions. At least 16 characters. */
  secret: string
  /** Address that answers are posted to. */
  url: string
  allowedUsers: readonly string[]
  /** Whether to post progress too: `{id, conversation, event: "progress", text}`. Default false. */
  progress?: boolean | undefined
  /** Wait before the second attempt, in milliseconds; doubles each time. Default 500. */
  firstWaitMs?: number
}

/**
 * A signed webhook. In: `POST /webhook` with `{id, conversation, user, text}` and the headers `x-hermes-timestamp`
 * (seconds) and `x-hermes-signature` (`v1=` and the HMAC-SHA256 of `v1:timestamp:body`). Out: `{id, conversation,
 * text}` to `url`, signed likewise; retried after failures that may pass.
 *
 * @throws HermesError `INVALID_OPTION` for a secret that is too short
 */
export function webhookAdapter(
  { secret, url, allowedUsers, progress = false, firstWaitMs = FIRST_WAIT_MS }: WebhookOptions,
): Adapter {
  if (secret.length < SHORTEST_SECRET) {
    throw new HermesError('INVALID_OPTION', `HERMES_WEBHOOK_SECRET has fewer than ${SHORTEST_SECRET} characters`, {
      hint: 'openssl rand -hex 32 | hermes setup --key HERMES_WEBHOOK_SECRET',
    })
  }
  return {
    name: 'webhook', path: '/webhook', allowedUsers,
    receive({ headers, body, nowMs }) {
      const problem = problemOfSignature({
        version: VERSION, secret, body, nowMs, seconds: headerOf(headers, 'x-hermes-timestamp'),
        signature: headerOf(headers, 'x-hermes-signature'),
      })
      if (problem !== undefined) return { status: 401, body: { error: { code: 'UNAUTHORIZED' } }, problem }
      const message = v.safeParse(MESSAGE, parseJson(body.toString('utf8')))
      if (!message.success) {
        return {
          status: 400,
          body: { error: { code: 'INVALID_MESSAGE', message: 'Send JSON: {id, conversation, user, text}' } },
        }
      }
      return { status: 202, body: { accepted: message.output.id }, message: message.output }
    },
    ...(progress && {
      progress: (conversation: string) => ({
        // A lost one does not matter: the next replaces it.
        show: async (said: string, signal: AbortSignal) => {
          const body = JSON.stringify({ id: randomUUID(), conversation, event: 'progress', text: said })
          await post(url, secret, body, signal)
        },
        clear: async () => undefined,
      }),
    }),
    async send(conversation, answer, signal) {
      // The same id in each attempt, so that duplicates can be recognised.
      const body = JSON.stringify({ id: randomUUID(), conversation, text: answer })
      for (let attempt = 1; ; attempt++) {
        const failure = await post(url, secret, body, signal)
        if (failure === undefined) return
        if (failure.isFinal || attempt === TRIES) {
          const message = `The answer could not be sent to ${new URL(url).host}: ${failure.why}`
          throw new HermesError('UNREACHABLE', message, { hint: 'See gateway.webhook.url.' })
        }
        await sleep(firstWaitMs * 2 ** (attempt - 1), undefined, { signal })
      }
    },
  }
}

async function post(
  url: string, secret: string, body: string, signal: AbortSignal,
): Promise<{ why: string; isFinal: boolean } | undefined> {
  const seconds = String(Math.floor(Date.now() / 1000))
  try {
    const response = await fetch(url, {
      method: 'POST', body, redirect: 'manual', signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        'content-type': 'application/json', 'x-hermes-timestamp': seconds,
        'x-hermes-signature': signatureOf(VERSION, secret, seconds, body),
      },
    })
    await response.body?.cancel()
    if (response.ok) return undefined
    return {
      why: `it answers ${response.status}`,
      isFinal: response.status < 500 && response.status !== 429 && response.status !== 408,
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error
    return { why: error.cause instanceof Error ? error.cause.message : error.message, isFinal: false }
  }
}
