import {
  type AnyVerb, HermesError, type HermesEvent, type ModelResponse, type ParseOutcome,
} from '../../0-contracts/src/index.js'
import { checkedParams, RPC, RpcError, type CallContext, type RequestHandler } from '../../2-wire/src/index.js'
import { answerText, parseAnswer } from '../../1-reading/src/index.js'
import type { RunResult } from '../../5-executor/src/index.js'
import {
  anthropicTool, argsJsonSchema, describeVerb, mcpTool, openAiTool, renderIdl, resultJsonSchema, selectToolsets,
} from '../../1-registry/src/index.js'
import { readResponse } from '../../2-transcripts/src/index.js'
import { nearestAction } from '../../0-text/src/index.js'
import { forwardedUi, noUi, type ExtensionUi } from '../../2-extensions/src/index.js'
import { askClient } from './ask-client.js'
import type { ReadySession, Shared } from './ready-session.js'
import { ASSETS_LIST, ASSETS_READ, EXECUTE, PARSE, TOOLS_LIST, TOOLS_SHOW, VERB } from './params.js'

/** Types of verbs that only read, or keep things in memory: they wait for no run. */
const HARMLESS = new Set(['read', 'meta'])
/** A verb as `tools/list` and `tools/show` tell of it. */
const TOOL_FORMATS = {
  hermes: (verb: AnyVerb): object => ({ name: verb.name, ...describeVerb(verb) }),
  'json-schema': (verb: AnyVerb): object => ({
    name: verb.name, arguments: argsJsonSchema(verb), result: resultJsonSchema(verb),
  }),
  openai: (verb: AnyVerb): object => openAiTool(verb),
  anthropic: (verb: AnyVerb): object => anthropicTool(verb),
  mcp: (verb: AnyVerb): object => mcpTool(verb),
  idl: (verb: AnyVerb): object => ({ name: verb.name, idl: renderIdl([verb]) }),
}

/** The requests of a client after `initialize`. */
export function sessionRequests({ queue, slots }: Shared, session: () => ReadySession): Record<string, RequestHandler> {
  return {
    execute: checkedParams(EXECUTE, async ({ text: given, dryRun, events, progress, extensions, reply }, context) => {
      const ready = session()
      const prepared = extensions.length === 0 ? undefined : await ready.hermes.prepare(given, {
        extensions, signal: context.signal, ui: clientDialogues(context, ready),
      })
      prepared?.warnings.forEach(ready.log)
      const answer = answerIn(prepared?.text ?? given)
      const told = teller(answer, context, ready, { events: events !== false, progress: progress === true })
      return queue.run(ready.settings.root, context.signal, async () => {
        const recording = dryRun === true ? undefined : await ready.recording?.begin(
          typeof answer === 'string' ? answer : answerText(answer), prepared,
        )
        let unwritten: string | undefined
        let result: RunResult
        try {
          result = await (dryRun === true ? ready.dryRun() : ready.hermes).execute(answer, {
            signal: context.signal,
            ...(prepared && { prepared }),
            ...askClient(context, ready.capabilities, ready.log),
            onEvent(event) {
              recording?.event(event)
              told(event)
            },
          })
        } finally {
          unwritten = recording?.close()
        }
        return {
          ...result,
          ...(unwritten !== undefined && { warnings: [...(result.warnings ?? []), unwritten] }),
          ...(reply && { reply: result.reply(reply.tokens === undefined ? {} : { tokens: reply.tokens }) }),
        }
      })
    }),

    parse: checkedParams(PARSE, ({ text, editFormats, startsInThink }): ParseOutcome => {
      const { settings } = session()
      return parseAnswer(answerIn(text), {
        editFormats: editFormats ?? settings.editFormats ?? [],
        startsInThink: startsInThink ?? settings.startsInThink ?? false,
      })
    }),

    'verb/execute': checkedParams(VERB, async (envelope, context) => {
      const { hermes, verbs, settings, capabilities, log } = session()
      const run = async (verb: string): Promise<unknown> => verbs.run({ ...envelope, verb }, {
        signal: context.signal, ...askClient(context, capabilities, log),
      })
      try {
        await hermes.policy()
        const verb = await verbs.registry.load(envelope.verb)
        // Function calling has names of its own, as tools/list gives them.
        const named = (): Promise<unknown> => run(verb?.name ?? envelope.verb)
        const isHarmless = verb !== undefined && HARMLESS.has(verb.type)
        return await (isHarmless ? slots.run(context.signal, named) : queue.run(settings.root, context.signal, named))
      } catch (error) {
        if (!(error instanceof HermesError)) throw error
        throw new RpcError(RPC.invalidParams, error.message, { code: error.code, hint: error.hint })
      }
    }),

    'tools/list': checkedParams(TOOLS_LIST, async ({ category, toolsets, format = 'hermes' }) => {
      const inToolset = toolsets ? selectToolsets(toolsets) : () => true
      const verbs = await session().hermes.verbs()
      return { tools: verbs.filter((verb) => (category === undefined || verb.category === category) && inToolset(verb))
        .map(TOOL_FORMATS[format]) }
    }),

    'tools/show': checkedParams(TOOLS_SHOW, async ({ name, format = 'hermes' }) => {
      const { hermes } = session()
      await hermes.policy()
      const { registry } = hermes
      const verb = await registry.load(name)
      if (verb) return { tool: TOOL_FORMATS[format](verb) }
      const meant = nearestAction(name, registry.names())
      throw new RpcError(RPC.invalidParams, `Unknown verb: ${name}`, {
        code: 'UNKNOWN_ACTION', hint: meant === undefined ? 'tools/list shows all verbs.' : `Did you mean ${meant}?`,
      })
    }),

    'assets/list': checkedParams(ASSETS_LIST, async ({ kind }) => ({ assets: await session().assets.list(kind) })),
    'assets/read': checkedParams(ASSETS_READ, async ({ kind, name }, context) => {
      const { assets, capabilities, log } = session()
      return { name, content: await assets.read(kind, name, askClient(context, capabilities, log).approve) }
    }),
  }
}

/** Who answers dialogues of extensions: the client, where it can. */
function clientDialogues(
  { id, peer }: CallContext, { capabilities }: Pick<ReadySession, 'capabilities'>,
): ExtensionUi {
  if (capabilities.dialogues !== true) return noUi('the client shows no dialogues of extensions')
  return forwardedUi(async (method, params, signal) => {
    try {
      return await peer.request(method, { request: id, ...params }, { signal })
    } catch (error) {
      if (signal.aborted || !(error instanceof RpcError)) throw error
      throw new HermesError('NO_USER', `The client could not ask its user: ${error.message}`, {
        hint: 'Go on without the answer.', cause: error,
      })
    }
  })
}

/** A text, or the response of a model that it is as a whole. */
function answerIn(text: string): string | ModelResponse {
  return readResponse(text) ?? text
}

/** Sends the events of a run to its client, in order; the end is the answer itself. */
function teller(
  answer: string | ModelResponse, { id, peer }: CallContext, { settings, log }: ReadySession,
  wants: { events: boolean; progress: boolean },
): (event: HermesEvent) => void {
  const { editFormats = [], startsInThink = false } = settings
  const read = wants.progress ? parseAnswer(answer, { editFormats, startsInThink }) : undefined
  const total = read ? read.blocks.length + read.errors.length : 0
  let finished = 0
  const tell = (method: string, params: object): void => {
    peer.notify(method, { request: id, ...params })
      .catch((error: unknown) => log(`${method}: ${error instanceof Error ? error.message : String(error)}`))
  }
  return (event) => {
    if (event.type === 'end') return
    if (wants.events) tell('execute/event', { event })
    if (!wants.progress || event.type === 'block-start' || event.type === 'skipped') return
    finished = Math.min(total, finished + 1)
    tell('execute/progress', { finished, total })
  }
}
