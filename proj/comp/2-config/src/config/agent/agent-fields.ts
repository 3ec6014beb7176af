import * as v from 'valibot'
import { notArray, unlessThrown } from '../../../../0-contracts/src/index.js'
import { MODEL_APIS } from './model-endpoint.js'
import { amount, count, entry, list, MAPPING, size, text, time, yesOrNo } from '../field-kinds.js'

/**
 * Why a URL cannot be an endpoint that keys are sent to; over the network it must be encrypted, except in private
 * networks.
 */
export function problemOfEndpoint(written: string): string | undefined {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'write an address, e.g. https://openrouter.ai/api/v1'
  if (url.username !== '' || url.password !== '') {
    return 'write no user or password into the address: keys stand in .env'
  }
  if (url.protocol === 'https:' || isPrivate(url.hostname)) return undefined
  return 'write an https:// address, or http:// of this machine or a private network: keys are sent to it'
}

function isPrivate(host: string): boolean {
  return /^(?:localhost|[^.:]+|.*\.(?:local|internal|lan)|127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|\[::1\]|\[f[cd][0-9a-f:]*\])$/i.test(
    host,
  )
}

function problemOfZone(written: string): string | undefined {
  return unlessThrown(RangeError, () => {
    Intl.DateTimeFormat('en', { timeZone: written }).resolvedOptions()
    return undefined
  }, 'write the name of a time zone, e.g. Europe/Berlin or UTC')
}

const COUNT = 'write a whole number from 0 up'
const PRICE = 'write US dollars for a million tokens, e.g. 3 or 0.25'
const SESSIONS = v.strictObject({ keep_days: count, keep_queries: yesOrNo }, MAPPING)
const DISPLAY = v.strictObject({ markdown: yesOrNo }, MAPPING)
const TEMPERATURE = 'write a number from 0 up, e.g. 0.2'
const price = v.pipe(v.number(PRICE), v.finite(PRICE), v.minValue(0, PRICE))
const portNumber = amount((written) => (
  typeof written === 'number' && Number.isInteger(written) && written >= 0 && written < 65_536 ? written : undefined
), 'write a port from 0 (any free one) to 65535')

const PRICES = v.strictObject({ input: price, output: price, cached: v.optional(price) }, MAPPING)
const SHARE = 'write a share of the window from 0.1 to 0.95, e.g. 0.8'
/** The field `compression`. */
const COMPRESSION = v.strictObject({
  enabled: yesOrNo,
  threshold: v.optional(v.pipe(v.number(SHARE), v.minValue(0.1, SHARE), v.maxValue(0.95, SHARE))),
  summary_model: text,
}, MAPPING)
const CRON = v.strictObject({
  time_zone: v.optional(entry(problemOfZone)), run_time: time, late: time, keep_runs: count, keep_output: size,
}, MAPPING)
/** Why a URL cannot be a server that gets a key; paths are appended to it, and it is shown to the user. */
export function problemOfServer(written: string): string | undefined {
  const problem = problemOfEndpoint(written)
  if (problem !== undefined) return problem
  const { search, hash } = new URL(written)
  return search === '' && hash === '' ? undefined : 'write the address without ? and #: keys stand in .env'
}

const WEBHOOK = v.strictObject({
  allowed_users: list(), url: v.optional(entry(problemOfEndpoint)), progress: yesOrNo,
}, MAPPING)
const SLACK = v.strictObject({ allowed_users: list(), api_url: v.optional(entry(problemOfServer)) }, MAPPING)
const GATEWAY = v.strictObject({
  host: text, port: portNumber, turn_time: time, cron: yesOrNo,
  webhook: v.optional(notArray(WEBHOOK)), slack: v.optional(notArray(SLACK)),
}, MAPPING)
const named = <Value extends v.GenericSchema>(value: Value) => v.optional(notArray(v.record(
  v.pipe(v.string(), v.minLength(1, 'a name is missing'), v.maxLength(200, 'at most 200 characters')), value, MAPPING,
)))

/** The fields that set up the agent; only in the user's file, never in a project's. */
export const AGENT_FIELDS = {
  model: text,
  base_url: v.optional(entry(problemOfServer)),
  api: v.optional(v.picklist(MODEL_APIS, 'write chat, responses or anthropic')),
  headers: named(entry(() => undefined)),
  temperature: v.optional(v.pipe(v.number(TEMPERATURE), v.finite(TEMPERATURE), v.minValue(0, TEMPERATURE))),
  max_tokens: count,
  reasoning_effort: text,
  style: v.optional(v.picklist(['native', 'blocks'], 'write native or blocks')),
  max_turns: count,
  context_window: count,
  compression: v.optional(notArray(COMPRESSION)),
  max_retries: v.optional(v.pipe(v.number(COUNT), v.safeInteger(COUNT), v.minValue(0, COUNT))),
  toolsets: list(),
  disabled_toolsets: list(),
  prices: named(notArray(PRICES)),
  personality: text,
  personalities: named(entry(() => undefined)),
  surroundings: yesOrNo,
  delegate: yesOrNo,
  save_trajectories: yesOrNo,
  auto_commit: v.optional(v.picklist(['none', 'message', 'run'], 'write none, message or run')),
  lock_wait: time,
  sessions: v.optional(notArray(SESSIONS)),
  display: v.optional(notArray(DISPLAY)),
  cron: v.optional(notArray(CRON)),
  gateway: v.optional(notArray(GATEWAY)),
}

/** Fields that contain fields. */
export const AGENT_SECTIONS: readonly string[] = [
  'sessions', 'display', 'compression', 'cron', 'gateway', 'gateway.webhook', 'gateway.slack',
]
/** Fields that are lists of strings. */
export const AGENT_LISTS: readonly string[] = [
  'toolsets', 'disabled_toolsets', 'gateway.webhook.allowed_users', 'gateway.slack.allowed_users',
]
