import * as v from 'valibot'
import { HermesError } from '../../../0-contracts/src/index.js'
import { nearest, usageError } from '../../../0-text/src/index.js'
import { LEAST_REPLY_TOKENS } from '../../../1-reports/src/index.js'
import type { AgentOptions } from './loop-options.js'
import { MODEL_APIS } from '../../../2-config/src/index.js'

const count = v.pipe(v.number(), v.integer(), v.minValue(1))
const whole = v.pipe(v.number(), v.integer(), v.minValue(0))
const amount = v.pipe(v.number(), v.minValue(0))
const price = v.strictObject({ input: amount, output: amount, cached: v.optional(amount) })
const names = v.array(v.string())
/** Of the session, which checks it itself. */
const ofSession = v.optional(v.unknown())

/** Only the agent's own options; the session checks its own. */
const OPTIONS = v.strictObject({
  model: v.pipe(v.string(), v.minLength(1)), api: v.optional(v.picklist(MODEL_APIS)), apiKey: v.optional(v.string()),
  baseURL: v.optional(v.string()),
  autoCommit: v.optional(v.picklist(['none', 'message', 'run'])), confirmCommits: v.optional(v.boolean()),
  maxTurns: v.optional(count),
  goOn: v.optional(v.function()),
  enabledToolsets: v.optional(names), disabledToolsets: v.optional(names),
  style: v.optional(v.picklist(['native', 'blocks'])),
  blocksFormat: v.optional(v.picklist(['sham', 'envelope', 'tool_call'])),
  delegate: v.optional(v.union([v.literal(false), v.strictObject({
    maxTurns: v.optional(count), maxTokens: v.optional(count), maxSeconds: v.optional(count),
    copyFiles: v.optional(count), copyBytes: v.optional(count),
  })])),
  root: v.optional(v.string()), systemPrompt: v.optional(v.string()),
  surroundings: v.optional(v.boolean()),
  contextWindow: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1000))),
  compression: v.optional(v.strictObject({
    enabled: v.optional(v.boolean()), threshold: v.optional(v.pipe(amount, v.minValue(0.1), v.maxValue(0.95))),
    summaryModel: v.optional(v.pipe(v.string(), v.minLength(1))),
  })),
  maxTokens: v.optional(count), callTokens: v.optional(v.pipe(count, v.minValue(LEAST_REPLY_TOKENS))),
  temperature: v.optional(amount), reasoningEffort: v.optional(v.pipe(v.string(), v.minLength(1))),
  maxRetries: v.optional(whole), maxRetryWaitMs: v.optional(whole),
  timeoutMs: v.optional(count),
  price: v.optional(price), prices: v.optional(v.record(v.string(), price)),
  saveTrajectories: v.optional(v.union([v.boolean(), v.string()])),
  verbose: v.optional(v.boolean()), quiet: v.optional(v.boolean()),
  sessions: v.optional(v.union([
    v.literal(false), v.custom<object>((value) => typeof value === 'object' && value !== null),
  ])),
  headers: v.optional(v.record(v.string(), v.string())),
  policy: ofSession, sandbox: ofSession, network: ofSession, approve: ofSession, ui: ofSession, scheduler: ofSession,
  allow: ofSession, gitCommit: ofSession, limits: ofSession, mapping: ofSession, waitMs: ofSession,
  extensions: ofSession, extensionUi: ofSession, extensionLimitMs: ofSession, extensionQuietMs: ofSession,
  onExtensionWarning: ofSession, changeTexts: ofSession, beforeWrite: ofSession, mcpServers: ofSession,
})

/** @throws HermesError `INVALID_OPTION` */
export function checkAgentOptions(options: AgentOptions): void {
  const checked = v.safeParse(OPTIONS, options)
  if (checked.success) return
  const [issue] = checked.issues
  const path = v.getDotPath(issue) ?? ''
  if (issue.expected === 'never') {
    const meant = nearest(path, Object.keys(OPTIONS.entries))
    throw new HermesError('INVALID_OPTION', `Unknown option: ${path}`, {
      hint: meant === undefined ? `Options: ${Object.keys(OPTIONS.entries).join(', ')}.` : `Did you mean ${meant}?`,
    })
  }
  throw usageError(`Invalid option ${path}: ${issue.message}`, 'See AgentOptions for what it takes.')
}
