import { join } from 'node:path'
import { HermesError, type Lenient } from '../../../../0-contracts/src/index.js'
import { nearest } from '../../../../0-text/src/index.js'
import { problemOfServer } from './agent-fields.js'
import { readEnvFile, type EnvFile } from './env-file.js'
import { ENV_VARIABLES } from './env-variables.js'
import { hermesHome, shownHome } from '../hermes-home.js'
import { keyFor, presetApi, presetServer, type ModelApi } from './model-endpoint.js'
import { readSource } from '../policy-files.js'
import type { PolicyValues } from '../policy-schema.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** Settings by flags of a command, which override all others. */
export interface AgentFlags extends Lenient<Pick<
  AgentSettings,
  'model' | 'baseURL' | 'api' | 'temperature' | 'maxTokens' | 'reasoningEffort' | 'style' | 'maxTurns' | 'toolsets'
  | 'disabledToolsets'
>> {
  personality?: string | undefined
}

/** The agent's settings, and where each comes from. */
export interface AgentSettings {
  /** `undefined`: no model is configured. */
  model: string | undefined
  /** A secret for the client only; never print it. `undefined` where none is set for this endpoint. */
  apiKey: string | undefined
  /** Name of the variable with the key, or of the one that would hold it. */
  apiKeyName: string
  baseURL: string
  /** API of the server. */
  api: ModelApi
  /** Further headers of each request; values may be secrets. */
  headers: Readonly<Record<string, string>> | undefined
  temperature: number | undefined
  /** Most tokens of one answer. */
  maxTokens: number | undefined
  reasoningEffort: string | undefined
  style: 'native' | 'blocks'
  maxTurns: number
  contextWindow: number | undefined
  /** When and how long conversations are compressed. */
  compression: { enabled?: boolean; threshold?: number; summaryModel?: string } | undefined
  maxRetries: number | undefined
  toolsets: readonly string[] | undefined
  disabledToolsets: readonly string[]
  terminal: NonNullable<PolicyValues['terminal']>
  /** By model; in US dollars for a million tokens. */
  prices: NonNullable<PolicyValues['prices']>
  personality: { name: string; text: string } | undefined
  /** All available personalities by name. */
  personalities: Readonly<Record<string, string>>
  surroundings: boolean
  /** Whether the model may hand parts of its task to delegates. */
  delegate: boolean
  saveTrajectories: boolean
  /** What chat, `-q`, batch, cron and gateway commit without asking. */
  autoCommit: 'none' | 'message' | 'run'
  /** How long a call waits for another run in its root, in milliseconds. */
  lockWaitMs: number
  /** How long conversations are kept after their last message; single questions only with `keepQueries`. */
  sessions: { keepDays: number; keepQueries: boolean }
  /** How a conversation is displayed at a terminal. */
  display: { markdown: boolean }
  cron: NonNullable<PolicyValues['cron']>
  gateway: NonNullable<PolicyValues['gateway']>
  /** Path of `~/.hermes`, or of `HERMES_HOME`. */
  home: string
  /** The environment, with missing variables from `.env`; holds secrets. */
  env: Environment
  /** Source of each field above: `flag`, `HERMES_MODEL`, `.env: HERMES_MODEL`, `~/.hermes/config.yaml:3`, `default`. */
  from: Readonly<Record<string, string>>
  /** One line each. */
  warnings: readonly string[]
}

/** Variables that `.env` may set. */
const OF_THE_FILE = ENV_VARIABLES.filter(({ isOfEnvironment }) => isOfEnvironment !== true).map(({ name }) => name)

/** Most turns of a conversation by default. */
export const DEFAULT_TURNS = 20
const DEFAULT_LOCK_WAIT_MS = 60_000
const DEFAULT_KEEP_DAYS = 90
/**
 * Manners of answering that `personality` may name beside those of `personalities`; what is added to the system prompt.
 */
const PERSONALITIES: Readonly<Record<string, string>> = {
  concise: 'Answer in as few words as are needed. No introductions, no summaries of what was just done.',
  teacher: 'Explain what you do and why, step by step, for somebody who learns it. Say what to read next.',
  careful: 'Before each change say what could go wrong. Prefer small steps, and check each before the next.',
}

/**
 * Reads the settings of the agent. Flags override the environment, that overrides `~/.hermes/.env`, and that overrides
 * `~/.hermes/config.yaml`. A project's `hermes.yaml` has no influence: it could send the user's key elsewhere.
 *
 * @throws HermesError `INVALID_POLICY` for unusable files, `INVALID_OPTION` for a wrong flag or variable
 */
export async function readAgentSettings(
  env: Environment = process.env, home: string = hermesHome(env), flags: AgentFlags = {},
): Promise<AgentSettings> {
  const name = join(home, 'config.yaml')
  const source = await readSource(name, shownHome(name), undefined)
  const values: PolicyValues = source?.values ?? {}
  const file = readEnvFile(home)
  const from: Record<string, string> = {}
  const choose = chooser({ env, file, values, place: (field) => source?.place(field) ?? shownHome(name) }, from)
  const all: Environment = { ...file.values, ...withoutEmpty(env) }
  const model = choose('model', flags.model, 'HERMES_MODEL', 'model')
  const chosenApi = choose('api', flags.api, undefined, 'api') as ModelApi | undefined
  const variable = chosenApi === 'anthropic' ? undefined : 'OPENAI_BASE_URL'
  const baseURL = checkedURL(
    choose('baseURL', flags.baseURL, variable, 'base_url') ?? presetServer(chosenApi, all), from['baseURL'] ?? '',
  )
  const apiKeyName = keyFor(baseURL)
  const apiKey = all[apiKeyName]
  from['apiKey'] = apiKey === undefined ? 'default'
    : env[apiKeyName] ? apiKeyName : `${shownHome(file.path)}: ${apiKeyName}`
  const personalities = { ...PERSONALITIES, ...values.personalities }
  const personality = choose('personality', flags.personality, undefined, 'personality')
  return {
    model, apiKey, apiKeyName, baseURL, api: chosenApi ?? presetApi(baseURL),
    headers: choose('headers', undefined, undefined, 'headers') as AgentSettings['headers'],
    temperature: optionalNumber(choose('temperature', flags.temperature, undefined, 'temperature')),
    maxTokens: optionalNumber(choose('maxTokens', flags.maxTokens, undefined, 'max_tokens')),
    reasoningEffort: choose('reasoningEffort', flags.reasoningEffort, undefined, 'reasoning_effort'),
    style: (choose('style', flags.style, undefined, 'style') ?? 'native') as AgentSettings['style'],
    maxTurns: Number(choose('maxTurns', flags.maxTurns, undefined, 'max_turns') ?? DEFAULT_TURNS),
    contextWindow: values.context_window, compression: compressionOf(values.compression),
    maxRetries: values.max_retries,
    toolsets: choose('toolsets', flags.toolsets, undefined, 'toolsets') as readonly string[] | undefined,
    disabledToolsets: (choose('disabledToolsets', flags.disabledToolsets, undefined, 'disabled_toolsets')
      ?? []) as readonly string[],
    terminal: values.terminal ?? {}, prices: values.prices ?? {}, personalities,
    personality: personality === undefined ? undefined
      : personalityOf(personality, personalities, from['personality'] ?? ''),
    surroundings: values.surroundings ?? true, delegate: values.delegate ?? true,
    saveTrajectories: values.save_trajectories ?? false,
    autoCommit: values.auto_commit ?? 'none', lockWaitMs: values.lock_wait ?? DEFAULT_LOCK_WAIT_MS,
    sessions: {
      keepDays: values.sessions?.keep_days ?? DEFAULT_KEEP_DAYS, keepQueries: values.sessions?.keep_queries ?? false,
    },
    display: { markdown: values.display?.markdown ?? true },
    cron: values.cron ?? {}, gateway: values.gateway ?? {},
    home, env: all, from, warnings: file.warnings,
  }
}

/**
 * Adds variables of `.env` to the environment of this process where they are missing, so that their values are masked
 * in results, and the place of commands (`TERMINAL_SSH_HOST`) is known. Commands do not get them, since they have a
 * pass-list.
 */
export function applyUserEnvironment({ env }: Pick<AgentSettings, 'env'>): void {
  for (const [name, value] of Object.entries(env)) {
    if (value && OF_THE_FILE.includes(name) && !process.env[name]) process.env[name] = value
  }
}

interface Places {
  env: Environment
  file: EnvFile
  values: PolicyValues
  /** The line of `config.yaml` that sets a field. */
  place: (field: string) => string
}

/** @param from receives the source of each value */
function chooser({ env, file, values, place }: Places, from: Record<string, string>) {
  return <Value>(
    key: string, flag: Value | undefined, variable: string | undefined, field: keyof PolicyValues,
  ): Value | string | undefined => {
    const given = [
      [flag, 'flag'],
      ...(variable === undefined ? [] : [
        [env[variable] || undefined, variable],
        [file.values[variable] || undefined, `${shownHome(file.path)}: ${variable}`],
      ]),
      [values[field], place(field)],
    ].find(([value]) => value !== undefined)
    from[key] = given?.[1] as string | undefined ?? 'default'
    return given?.[0] as Value | string | undefined
  }
}

function optionalNumber(value: number | string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value)
}

function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
}

function compressionOf(written: PolicyValues['compression']): AgentSettings['compression'] {
  if (!written) return undefined
  const { enabled, threshold, summary_model: summaryModel } = written
  return {
    ...(enabled !== undefined && { enabled }), ...(threshold !== undefined && { threshold }),
    ...(summaryModel !== undefined && { summaryModel }),
  }
}

function personalityOf(
  name: string, all: Readonly<Record<string, string>>, from: string,
): { name: string; text: string } {
  const text = Object.hasOwn(all, name) ? all[name] : undefined
  if (text !== undefined) return { name, text }
  const meant = nearest(name, Object.keys(all))
  const [code, place] = from === 'flag' ? ['INVALID_OPTION', ''] as const : ['INVALID_POLICY', `${from}: `] as const
  throw new HermesError(code, `${place}there is no personality ${name}`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}There are ${Object.keys(all).join(', ')}; `
      + 'personalities: in config.yaml adds others.',
  })
}

function checkedURL(url: string, from: string): string {
  const problem = problemOfServer(url)
  if (problem === undefined) return url.replace(/\/+$/, '')
  throw new HermesError('INVALID_OPTION', `${from === 'flag' ? '--base-url' : from}: ${problem}`, {
    hint: `It is ${JSON.stringify(url.replace(/\/\/[^/]*@/, '//').replace(/[?#].*/s, ''))} now.`,
  })
}
