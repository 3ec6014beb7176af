import { agentOptions, type AgentOptions } from '../../../6-agent/src/index.js'
import {
  applyUserEnvironment, MODEL_APIS, readAgentSettings, type AgentFlags, type AgentSettings, type ModelApi,
} from '../../../2-config/src/index.js'
import type { ModelServer } from '../../../7-console/src/index.js'
import type { HermesError, PathGate } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../../5-executor/src/index.js'
import { say } from '../io/output.js'
import { oneOf, usageError, type Arguments } from '../arguments.js'
import { applyOptions, mappingOption, wholeNumber } from './apply-options.js'
import type { ExtensionOptions } from './extension-limits.js'
import { wantedExtensions } from './wanted-extensions.js'
import { existingRoot } from './existing-root.js'

/** An agent's settings, from flags and the user's config. */
export interface AgentSetup {
  settings: AgentSettings & { model: string }
  /** As given; links may be unresolved. */
  root: string
  options: AgentOptions
  /** Notices for the user, one line each. */
  notes: readonly string[]
}

/**
 * Reads flags, environment, `.env` and the user's file; keys of `.env` are added to this process's environment.
 *
 * @param unnamed stands for the model where none is configured; without it that is an error
 * @throws HermesError `INVALID_OPTION`, also where no model is configured; `INVALID_POLICY`
 */
export async function agentSetup(args: Arguments, unnamed?: string): Promise<AgentSetup> {
  const settings = await readAgentSettings(process.env, undefined, {
    model: args.value('model'), baseURL: args.value('base-url'),
    style: args.has('style') ? oneOf('style', args.value('style') ?? '', ['native', 'blocks']) : undefined,
    maxTurns: wholeNumber(args, 'max-turns', 'number of turns'), personality: args.value('personality'),
    ...wireFlags(args),
    ...(args.values('toolset').length > 0 && { toolsets: args.values('toolset') }),
    ...(args.values('disable-toolset').length > 0 && { disabledToolsets: args.values('disable-toolset') }),
  })
  const { model = unnamed } = settings
  if (model === undefined) throw noModel()
  applyUserEnvironment(settings)
  const root = existingRoot(args)
  const { allow, sandbox, network, gitCommit, ...given } = applyOptions(args)
  const waitMs = args.has('wait') ? given.waitMs : settings.lockWaitMs
  const extending = await agentExtensions(args, settings)
  return {
    settings: { ...settings, model },
    root,
    options: agentOptions({ ...settings, model }, {
      root, ...(allow && allow.length > 0 && { allow }), ...mappingOption(args), sandbox, network, gitCommit, waitMs,
      ...extending,
    }),
    notes: notesOf(settings, extending),
  }
}

/**
 * @throws HermesError `INVALID_OPTION` for function calling, whose calls come apart from the text, so that no extension
 * could see them
 */
async function agentExtensions(args: Arguments, { style }: AgentSettings): Promise<ExtensionOptions> {
  if (style !== 'blocks' && args.has('extension')) throw usageError(
    '--extension needs --style blocks', 'With function calling the answer has no blocks that could be rewritten.',
  )
  // They would do nothing here, and workers on a queue may lack them.
  if (style !== 'blocks' && args.has('queue')) return {}
  // Also with function calling: a server without it is asked for blocks.
  return wantedExtensions(args, true)
}

function notesOf({ style }: AgentSettings, { extensions = [] }: ExtensionOptions): string[] {
  if (style === 'blocks' || extensions.length === 0) return []
  const names = extensions.map(extension => (typeof extension === 'string' ? extension : extension.name)).join(', ')
  return [`extensions of your config (${names}) see no calls of function calling, only answers in blocks: `
    + 'style: blocks in the config, or --style blocks']
}

/** The path gate for reading on behalf of an agent's model. @throws HermesError `INVALID_OPTION`, `INVALID_POLICY` */
export function gateOf({ root, options: { allow, policy } }: Pick<AgentSetup, 'root' | 'options'>): Promise<PathGate> {
  const more = { ...(allow && { allow }), ...(policy !== undefined && { policy }) }
  return new Hermes({ root, relativePaths: true, ...more }).gate()
}

/**
 * The server for a model with another API than the flags name, with its own key and headers: the user's are not sent to
 * another server. @throws HermesError as `agentSetup`
 */
export async function modelServer(
  args: Arguments, api: ModelApi, { baseURL: before }: AgentSettings,
): Promise<ModelServer> {
  const { apiKey, baseURL, headers } = await readAgentSettings(process.env, undefined, {
    baseURL: args.value('base-url'), api,
  })
  return {
    api, baseURL, ...(apiKey !== undefined && { apiKey }), ...(headers && baseURL === before && { headers }),
  }
}

/** The options with another server, whose key and headers replace the former ones. */
export function withServer(options: AgentOptions, server: ModelServer | undefined): AgentOptions {
  if (!server) return options
  const { apiKey: _key, headers: _headers, ...others } = options
  return { ...others, ...server }
}

/** Whether a model is configured. @throws HermesError `INVALID_POLICY`, `INVALID_OPTION` */
export async function isModelConfigured(): Promise<boolean> {
  return (await readAgentSettings()).model !== undefined
}

/** The error where no model is configured. */
export function noModel(): HermesError {
  return usageError(
    'No model is configured',
    'Run hermes setup, or write --model NAME (and a key: OPENROUTER_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY).',
  )
}

/** Flags for the requests to the server. */
function wireFlags(args: Arguments): Pick<AgentFlags, 'api' | 'temperature' | 'maxTokens' | 'reasoningEffort'> {
  const [api, temperature] = [args.value('api'), args.value('temperature')]
  if (temperature !== undefined && !/^\d{1,3}(?:\.\d{1,6})?$/.test(temperature)) {
    throw usageError(`Invalid temperature: ${temperature}`, '--temperature is a number from 0 up, e.g. 0.2.')
  }
  return {
    maxTokens: wholeNumber(args, 'max-tokens', 'number of tokens', { most: 999_999_999 }),
    api: api === undefined ? undefined : oneOf('api', api, MODEL_APIS), reasoningEffort: args.value('reasoning-effort'),
    temperature: temperature === undefined ? undefined : Number(temperature),
  }
}

export function tellNotes({ notes }: AgentSetup): void {
  notes.forEach(say)
}
