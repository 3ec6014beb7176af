import * as v from 'valibot'
import { HermesError, isRecord, parseJson } from '../../../0-contracts/src/index.js'
import type { Adapter, InboundMessage } from './adapter.js'
import { headerOf, problemOfSignature } from './signatures.js'

/** Longest message that Slack shows whole. */
const MOST_CHARS = 3900
const RETRIES = 4

const EVENT = v.object({
  type: v.string(), channel: v.optional(v.string()), user: v.optional(v.string()), text: v.optional(v.string()),
  ts: v.optional(v.string()), thread_ts: v.optional(v.string()), channel_type: v.optional(v.string()),
  bot_id: v.optional(v.string()), subtype: v.optional(v.string()),
})
const PAYLOAD = v.variant('type', [
  v.object({ type: v.literal('url_verification'), challenge: v.string() }),
  v.object({ type: v.literal('event_callback'), event_id: v.string(), team_id: v.optional(v.string()), event: EVENT }),
])

export interface SlackOptions {
  botToken: string
  signingSecret: string
  allowedUsers: readonly string[]
  /** Replaces `https://slack.com/api/`. */
  apiURL?: string | undefined
}

/**
 * Slack by its Events API (`POST /slack/events`, signed v0) and its official client. Answers direct messages, and
 * mentions in channels in their thread. Repeated events are recognised by their id.
 */
export function slackAdapter({ botToken, signingSecret, allowedUsers, apiURL }: SlackOptions): Adapter {
  const client = lazy(async () => {
    const { WebClient, LogLevel } = await import('@slack/web-api')
    return new WebClient(botToken, {
      logLevel: LogLevel.ERROR, retryConfig: { retries: RETRIES, factor: 2, minTimeout: 500 },
      ...(apiURL !== undefined && { slackApiUrl: apiURL.endsWith('/') ? apiURL : `${apiURL}/` }),
    })
  })
  return {
    name: 'slack', path: '/slack/events', allowedUsers,
    receive({ headers, body, nowMs }) {
      const problem = problemOfSignature({
        version: 'v0', secret: signingSecret, body, nowMs,
        seconds: headerOf(headers, 'x-slack-request-timestamp'), signature: headerOf(headers, 'x-slack-signature'),
      })
      if (problem !== undefined) return { status: 401, body: { error: { code: 'UNAUTHORIZED' } }, problem }
      const payload = v.safeParse(PAYLOAD, parseJson(body.toString('utf8')))
      // Accept any other content: Slack would send it again otherwise.
      if (!payload.success) return { status: 200, body: { ignored: true } }
      if (payload.output.type === 'url_verification') {
        return { status: 200, body: { challenge: payload.output.challenge } }
      }
      const message = messageOf(payload.output.event, payload.output.team_id ?? '', payload.output.event_id)
      return { status: 200, body: { ok: true }, ...(message && { message }) }
    },
    progress(conversation) {
      const { channel, thread } = placeOf(conversation)
      let ts: string | undefined
      return {
        async show(text) {
          const slack = await client()
          const [method, place] = ts === undefined ? ['chat.postMessage', thread] as const
            : ['chat.update', { ts }] as const
          const answer: unknown = await slack.apiCall(method, { channel, text: escaped(text), ...place })
          if (isRecord(answer) && typeof answer['ts'] === 'string') ts ??= answer['ts']
        },
        async clear() {
          if (ts !== undefined) await (await client()).apiCall('chat.delete', { channel, ts })
        },
      }
    },
    async send(conversation, text, signal) {
      const { channel, thread } = placeOf(conversation)
      const slack = await client()
      for (const piece of pieces(text)) {
        signal.throwIfAborted()
        try {
          await slack.apiCall('chat.postMessage', { channel, text: escaped(piece), ...thread })
        } catch (error) {
          if (!(error instanceof Error)) throw error
          throw new HermesError('UNREACHABLE', `The answer could not be sent to Slack: ${error.message}`, {
            hint: 'Look at SLACK_BOT_TOKEN and the scopes of the app (chat:write).', cause: error,
          })
        }
      }
    },
  }
}

function placeOf(conversation: string): { channel: string; thread: { thread_ts?: string } } {
  const [, channel = '', thread] = conversation.split(':')
  return { channel, thread: thread === undefined ? {} : { thread_ts: thread } }
}

/** The message of an event; `undefined` if no person wrote it to the app. */
function messageOf(event: v.InferOutput<typeof EVENT>, team: string, eventId: string): InboundMessage | undefined {
  const { type, channel, user, text, ts, thread_ts: thread, channel_type: kind, bot_id: bot, subtype } = event
  const isDirect = type === 'message' && kind === 'im'
  if ((type !== 'app_mention' && !isDirect) || bot !== undefined || subtype !== undefined) return undefined
  if (channel === undefined || user === undefined || ts === undefined) return undefined
  const said = unescaped((text ?? '').replace(/^\s*<@[A-Z0-9]+>\s*/, ''))
  // A direct conversation is one conversation; in a channel each thread is.
  const root = thread ?? (isDirect ? undefined : ts)
  return said === '' ? undefined
    : { id: eventId, conversation: [team, channel, ...(root === undefined ? [] : [root])].join(':'), user, text: said }
}

function lazy<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => made ??= make()
}

/** Escapes text, which could otherwise notify a whole channel: `<!channel>`. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim()
}

/** Splits a text, between lines where possible. */
function pieces(text: string): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > MOST_CHARS) {
    const line = rest.lastIndexOf('\n', MOST_CHARS)
    const at = line > MOST_CHARS / 2 ? line + 1 : MOST_CHARS
    parts.push(rest.slice(0, at))
    rest = rest.slice(at)
  }
  return [...parts, rest]
}
