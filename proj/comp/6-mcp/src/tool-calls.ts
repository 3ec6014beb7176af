import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from '@modelcontextprotocol/server'
import {
  HermesError, isRecord, type AnyVerb, type HermesEvent, type PrintedLines, type WorkProgress,
} from '../../0-contracts/src/index.js'
import type { Hermes, RunOptions } from '../../5-executor/src/index.js'
import { parse } from '../../1-reading/src/index.js'
import { mcpTool, toolName } from '../../1-registry/src/index.js'
import { nearestAction } from '../../0-text/src/index.js'
import { createRunId } from '../../3-transaction/src/index.js'
import { answerResult, callResult, failedTool, failureOf, type ReplyBounds } from './tool-result.js'
import { APPLY_RESPONSE } from './apply-response.js'
import type { Client } from './client.js'
import { clientUser } from './client-user.js'
import type { Desk } from './desk.js'
import type { Sdk } from './load-server-sdk.js'
import { progressOf, type Progress } from './progress.js'
import { reportUri } from './resources.js'
import { Talk, type Ask } from './talks.js'

export interface ToolCallParts {
  sdk: Sdk
  desk: Desk
  client: Client
  /** The user has said yes beforehand. */
  yes: boolean
  reply: ReplyBounds
}

/** Under which name a question stands in a request for input. */
const KEY = 'input'
const USER_INTERACTION = 'user_interaction'
const CANNOT_ASK = 'This client cannot ask its user (it offers no elicitation). '
  + 'The user can start hermes mcp with --yes, or change the policy.'

/** What the client may call: verbs that ask the user only where there is a way to. */
export async function listTools({ desk, client, yes }: ToolCallParts, ctx: ServerContext): Promise<Tool[]> {
  const verbs = await desk.offered()
  const hasUser = yes || client.canAskUser(ctx)
  const tools = verbs.filter((verb) => hasUser || verb.category !== USER_INTERACTION)
    .map(toolOf)
  return [APPLY_RESPONSE, ...tools]
}

/** Without its schema of results: a tool that has one must give structured content, however long the text is. */
function toolOf(verb: AnyVerb): Tool {
  const { outputSchema: _, ...tool } = mcpTool(verb)
  return tool as unknown as Tool
}

/**
 * One call, or the next request of one that has asked for something.
 *
 * @throws ProtocolError for a tool that there is none of, and for an answer to a question that is not open
 */
export async function callTool(
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> | undefined }, ctx: ServerContext,
  parts: ToolCallParts,
): Promise<CallToolResult | InputRequiredResult> {
  return parts.desk.during(call({ name, arguments: args }, ctx, parts))
}

async function call(
  { name, arguments: args }: { name: string; arguments: Record<string, unknown> }, ctx: ServerContext,
  parts: ToolCallParts,
): Promise<CallToolResult | InputRequiredResult> {
  const { sdk, desk, client } = parts
  const verb = name === APPLY_RESPONSE.name ? undefined : await verbOf(name, parts)
  const run: Run = async (ask, signal, progress) => {
    const within = await client.roots(ctx, ask)
    const work = verb ? callVerb(verb, args) : applyResponse(args)
    return desk.queue.run(desk.root, signal, (aside) => {
      // Others of this root need not wait for a user who is out for lunch.
      const askUser: Ask = (request) => aside(() => ask(request))
      const own = clientUser({
        ask: client.canAskUser(ctx) ? askUser : undefined, yes: parts.yes, remembers: client.remembers, signal,
      })
      return work({ desk, within, own: { ...own, signal }, progress, reply: parts.reply })
    })
  }
  if (client.asksByRequest) {
    const signal = AbortSignal.any([ctx.mcpReq.signal, desk.closing.signal])
    return settled(run((request) => client.ask(ctx, request, signal), signal, progressOf(ctx)), parts, ctx)
  }
  const same = JSON.stringify([name, args])
  const state = ctx.mcpReq.requestState()
  const talk = state === undefined ? begun(run, parts, ctx)
    : desk.talks.take(String(state), same) as Talk<CallToolResult> | undefined
  if (!talk) {
    throw new sdk.ProtocolError(INVALID_PARAMS, 'Invalid or expired requestState', { reason: 'invalid_request_state' })
  }
  talk.progress = progressOf(ctx)
  talk.answer(ctx.mcpReq.inputResponses?.[KEY])
  const turn = await talk.next(ctx.mcpReq.signal)
  if ('result' in turn) return turn.result
  return sdk.inputRequired({ inputRequests: { [KEY]: turn.question }, requestState: desk.talks.wait(talk, same) })
}

const INVALID_PARAMS = -32602

type Run = (ask: Ask, signal: AbortSignal, progress: Progress) => Promise<CallToolResult>

function begun(run: Run, parts: ToolCallParts, ctx: ServerContext): Talk<CallToolResult> {
  const talk = new Talk<CallToolResult>()
  talk.start((ask) => settled(run(ask, talk.signal, (...told) => talk.progress(...told)), parts, ctx))
  return talk
}

/** What goes wrong is the result of the tool: the model is to hear of it. */
async function settled(
  running: Promise<CallToolResult>, { desk, client, yes }: ToolCallParts, ctx: ServerContext,
): Promise<CallToolResult> {
  try {
    const result = await running
    desk.changed()
    return yes || client.canAskUser(ctx) ? result : withReason(result)
  } catch (error) {
    if (error instanceof HermesError) return failedTool(failureOf(error))
    return failedTool({ error: 'Internal error', hint: 'This is a defect of hermes; the next call is not affected.' })
  }
}

/** Says why nobody was asked. */
function withReason(result: CallToolResult): CallToolResult {
  const failure = result._meta?.['hermes/error']
  if (!isRecord(failure) || failure['code'] !== 'APPROVAL_DENIED') return result
  return failedTool({ code: 'APPROVAL_DENIED', error: String(failure['message']), hint: CANNOT_ASK })
}

async function verbOf(name: string, { sdk, desk }: ToolCallParts): Promise<AnyVerb> {
  const { registry } = desk.current
  const verb = await registry.load(name)
  if (verb) return verb
  const names = [APPLY_RESPONSE.name, ...registry.names()]
  const meant = nearestAction(name, [...names, ...names.map(toolName)])
  const hint = meant === undefined ? 'tools/list has all tools.' : `Did you mean ${meant}?`
  throw new sdk.ProtocolError(INVALID_PARAMS, `Unknown tool: ${name}. ${hint}`, { code: 'UNKNOWN_ACTION', hint })
}

interface Work {
  desk: Desk
  within: readonly string[] | undefined
  own: RunOptions
  progress: Progress
  reply: ReplyBounds
}

function callVerb(verb: AnyVerb, args: Record<string, unknown>): (work: Work) => Promise<CallToolResult> {
  return async ({ desk, within, own, progress, reply }) => {
    progress(0, 1, verb.name)
    const hermes = desk.session(within)
    const runId = createRunId()
    // Progress must grow: the call itself is the whole.
    const onProgress = ({ what, done, total }: WorkProgress): void => (
      progress(Math.min(done / total, 0.99), 1, `${verb.name}: ${what}, ${done} of ${total}`)
    )
    let printed = 0
    const onOutput = ({ lines }: PrintedLines): void => (
      progress(1 - 1 / (1 + ++printed / 100), 1, `${verb.name}: ${lines.at(-1) ?? ''}`)
    )
    const run = await hermes.call([{ name: verb.name, arguments: args }], { ...own, runId, onProgress, onOutput })
    progress(1, 1, verb.name)
    return callResult(verb, run, (result, tokens) => hermes.callText(result, { tokens, runId }), {
      ...reply, callTokens: reply.callTokens ?? hermes.callTokens,
    })
  }
}

function applyResponse(args: Record<string, unknown>): (work: Work) => Promise<CallToolResult> {
  const { text, dry_run: dryRun = false, ...others } = args
  const [unknown] = Object.keys(others)
  return async ({ desk, within, own, progress, reply }) => {
    if (typeof text !== 'string') throw wrong(
      text === undefined ? 'MISSING_PARAMETER' : 'INVALID_PARAMETER', 'text must be a string',
      'Give the whole answer as text.',
    )
    if (typeof dryRun !== 'boolean') {
      throw wrong('INVALID_PARAMETER', 'dry_run must be true or false', 'Leave it out to run the blocks.')
    }
    if (unknown !== undefined) {
      throw wrong('UNKNOWN_PARAMETER', `Unknown parameter: ${unknown}`, 'apply_response takes text, dry_run?.')
    }
    const hermes: Hermes = desk.session(within, dryRun)
    const total = parse(text).totalBlocks
    let done = 0
    const onEvent = (event: HermesEvent): void => {
      if (event.type !== 'block-end' && event.type !== 'parse-error') return
      done++
      progress(
        done, Math.max(done, total),
        event.type === 'block-end' ? wordsFor(event.result) : `${event.error.blockId ?? 'a block'} did not parse`,
      )
    }
    const runId = createRunId()
    const run = await hermes.execute(text, { ...own, runId, onEvent })
    const told = hermes.freshReply(run, { text, tokens: reply.tokens, runId })
    return answerResult(run, told, reportUri(desk.keep(run, within)))
  }
}

function wordsFor(
  { blockId, action, success, code }: { blockId: string; action: string; success: boolean; code?: string },
): string {
  return `${blockId} ${action}: ${success ? 'done' : `failed (${code ?? 'INTERNAL'})`}`
}

function wrong(code: string, message: string, hint: string): HermesError {
  return new HermesError(code, `apply_response: ${message}`, { hint })
}
