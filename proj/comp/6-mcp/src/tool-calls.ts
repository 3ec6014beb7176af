import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from '@modelcontextprotocol/server'
import {
  HermesError, isRecord, type ActionResult, type AnyVerb, type HermesEvent, type PrintedLines, type WorkProgress,
} from '../../0-contracts/src/index.js'
import type { Hermes, RunOptions } from '../../5-executor/src/index.js'
import { parse } from '../../1-reading/src/index.js'
import { toolName, mcpTool } from '../../1-registry/src/index.js'
import { nearestAction } from '../../0-text/src/index.js'
import { createRunId } from '../../3-transaction/src/index.js'
import { APPLY_RESPONSE } from './apply-response.js'
import { answerResult, callResult, failedTool, failureOf, type ReplyBounds } from './tool-result.js'
import type { Client } from './client.js'
import { clientUser } from './client-user.js'
import type { ConnectionState } from './connection-state.js'
import type { Sdk } from './load-server-sdk.js'
import { reportUri } from './resources.js'
import { Talk, type Ask, progressOf, type Progress } from './talks.js'

export interface ToolCallParts {
  sdk: Sdk
  connection: ConnectionState
  client: Client
  /** Whether the user approved everything in advance. */
  yes: boolean
  reply: ReplyBounds
}

/** Key of a question in a request for input. */
const KEY = 'input'
const USER_INTERACTION = 'user_interaction'
const CANNOT_ASK = 'This client cannot ask its user (it offers no elicitation). '
  + 'The user can start hermes mcp with --yes, or change the policy.'

/** What the client may call: verbs that ask the user only where there is a way to. */
export async function listTools({ connection, client, yes }: ToolCallParts, ctx: ServerContext): Promise<Tool[]> {
  const hasUser = yes || client.canAskUser(ctx)
  const verbs = (await connection.offeredVerbs()).filter((verb) => hasUser || verb.category !== USER_INTERACTION)
  return [APPLY_RESPONSE, ...verbs.map(listedTool)]
}

/**
 * Runs a call, or continues one that asked a question.
 *
 * @throws ProtocolError for an unknown tool, and for an answer to a question that is not open
 */
export async function callTool(
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> | undefined }, ctx: ServerContext,
  parts: ToolCallParts,
): Promise<CallToolResult | InputRequiredResult> {
  const { sdk, connection, client } = parts
  const verb = name === APPLY_RESPONSE.name ? undefined : await verbOf(name, parts)
  if (verb instanceof HermesError) return failedTool(failureOf(verb))
  const run: Run = async (ask, signal, progress) => {
    const within = await client.roots(ctx, ask)
    const work = verb ? callVerb(verb, args) : applyResponse(args)
    return connection.queue.run(connection.root, signal, (aside) => {
      // Others of this root need not wait for a user who is out for lunch.
      const askUser: Ask = (request) => aside(() => ask(request))
      const own = clientUser({
        ask: client.canAskUser(ctx) ? askUser : undefined, yes: parts.yes, remembers: client.remembers, signal,
      })
      return work({ connection, within, own: { ...own, signal }, progress, reply: parts.reply })
    })
  }
  if (client.asksByRequest) {
    const signal = AbortSignal.any([ctx.mcpReq.signal, connection.closing.signal])
    return settled(run((request) => client.ask(ctx, request, signal), signal, progressOf(ctx)), parts, ctx)
  }
  const same = JSON.stringify([name, args])
  const state = ctx.mcpReq.requestState()
  const talk = state === undefined ? begun(run, parts, ctx)
    : connection.talks.take(String(state), same) as Talk<CallToolResult> | undefined
  if (!talk) {
    throw new sdk.ProtocolError(INVALID_PARAMS, 'Invalid or expired requestState', { reason: 'invalid_request_state' })
  }
  talk.progress = progressOf(ctx)
  talk.answer(ctx.mcpReq.inputResponses?.[KEY])
  const turn = await talk.next(ctx.mcpReq.signal)
  if ('result' in turn) return turn.result
  return sdk.inputRequired({ inputRequests: { [KEY]: turn.question }, requestState: connection.talks.wait(talk, same) })
}

const INVALID_PARAMS = -32602

type Run = (ask: Ask, signal: AbortSignal, progress: Progress) => Promise<CallToolResult>

function begun(run: Run, parts: ToolCallParts, ctx: ServerContext): Talk<CallToolResult> {
  const talk = new Talk<CallToolResult>()
  talk.start((ask) => settled(run(ask, talk.signal, (...told) => talk.progress(...told)), parts, ctx))
  return talk
}

/** Turns errors into results of the tool, so that the model learns of them. */
async function settled(
  running: Promise<CallToolResult>, { connection, client, yes }: ToolCallParts, ctx: ServerContext,
): Promise<CallToolResult> {
  try {
    const result = await running
    connection.resourcesChanged()
    return yes || client.canAskUser(ctx) ? result : withReason(result)
  } catch (error) {
    if (error instanceof HermesError) return failedTool(failureOf(error))
    return failedTool({ error: 'Internal error', hint: 'This is a defect of hermes; the next call is not affected.' })
  }
}

/** Adds why nobody was asked. */
function withReason(result: CallToolResult): CallToolResult {
  const failure = result._meta?.['hermes/error']
  if (!isRecord(failure) || failure['code'] !== 'APPROVAL_DENIED') return result
  return failedTool({ code: 'APPROVAL_DENIED', error: String(failure['message']), hint: CANNOT_ASK })
}

/** @returns why it cannot be had, where an extension that brings it fails @throws ProtocolError where there is none */
async function verbOf(name: string, { sdk, connection }: ToolCallParts): Promise<AnyVerb | HermesError> {
  const { current } = connection
  // The user's config brings verbs of its own, to a client as well that knows the list from before.
  await current.policy()
  const { registry } = current
  try {
    const verb = await registry.load(name)
    if (verb) return verb
  } catch (error) {
    if (error instanceof HermesError) return error
    throw error
  }
  const names = [APPLY_RESPONSE.name, ...registry.names()]
  const meant = nearestAction(name, [...names, ...names.map(toolName)])
  const hint = meant === undefined ? 'tools/list has all tools.' : `Did you mean ${meant}?`
  throw new sdk.ProtocolError(INVALID_PARAMS, `Unknown tool: ${name}. ${hint}`, { code: 'UNKNOWN_ACTION', hint })
}

interface Work {
  connection: ConnectionState
  within: readonly string[] | undefined
  own: RunOptions
  progress: Progress
  reply: ReplyBounds
}

function callVerb(verb: AnyVerb, args: Record<string, unknown>): (work: Work) => Promise<CallToolResult> {
  return async ({ connection, within, own, progress, reply }) => {
    progress(0, 1, verb.name)
    const hermes = connection.session(within)
    const runId = createRunId()
    // Progress values must grow; 1 is the end of the call.
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
  return async ({ connection, within, own, progress, reply }) => {
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
    const hermes: Hermes = connection.session(within, dryRun)
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
    return answerResult(run, told, reportUri(connection.keepReport(run, within)))
  }
}

function wordsFor({ blockId, action, success, code }: ActionResult): string {
  return `${blockId} ${action}: ${success ? 'done' : `failed (${code ?? 'INTERNAL'})`}`
}

function wrong(code: string, message: string, hint: string): HermesError {
  return new HermesError(code, `apply_response: ${message}`, { hint })
}

/** What a description of a parameter says of its default. */
const DEFAULT = / Default: [^.]*\.(?= |$)/

/**
 * A tool as a list has it, which every conversation pays for: without its schema of results (a tool that has one must
 * give structured content, however long the text is), and without what the rest of it says.
 */
function listedTool(verb: AnyVerb): Tool {
  const { outputSchema: _, inputSchema, annotations, ...tool } = mcpTool(verb)
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations
  const { properties } = inputSchema
  return {
    ...tool,
    inputSchema: isRecord(properties) ? { ...inputSchema, properties: withoutDefaultWords(properties) } : inputSchema,
    // The protocol gives the others no meaning where a tool only reads, and none repeats its call in vain by default.
    annotations: readOnlyHint ? { readOnlyHint, openWorldHint } : { readOnlyHint, destructiveHint, openWorldHint },
  } as unknown as Tool
}

function withoutDefaultWords(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => {
    if (!isRecord(schema) || schema['default'] === undefined) return [name, schema]
    const { description } = schema
    if (typeof description !== 'string') return [name, schema]
    return [name, { ...schema, description: description.replace(DEFAULT, '') }]
  }))
}
