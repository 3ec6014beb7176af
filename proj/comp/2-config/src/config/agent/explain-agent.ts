import { join } from 'node:path'
import { isRecord } from '../../../../0-contracts/src/index.js'
import { AGENT_FIELDS } from './agent-fields.js'
import { readAgentSettings, type AgentSettings } from './agent-settings.js'
import { settingNames } from '../edit-policy.js'
import { ENV_VARIABLES, isSecretVariable } from './env-variables.js'
import type { ExplainedField } from '../explain-policy.js'
import { hermesHome, shownHome } from '../hermes-home.js'
import { readSource } from '../policy-files.js'

/** Shown in place of a secret. */
const UNSEEN = '(set, not shown)'

/** Settings that may come from elsewhere than the file, by the name of their field. */
const CHOSEN: Readonly<Record<string, keyof AgentSettings>> = {
  model: 'model', base_url: 'baseURL', api: 'api', temperature: 'temperature', max_tokens: 'maxTokens',
  reasoning_effort: 'reasoningEffort', headers: 'headers', style: 'style', max_turns: 'maxTurns',
  toolsets: 'toolsets', disabled_toolsets: 'disabledToolsets', personality: 'personality',
}

/**
 * The agent's settings in the form of `explainPolicy`: each field with its source. For secrets only says that they are
 * set.
 *
 * @throws HermesError as `readAgentSettings`
 */
export async function explainAgent(): Promise<{
  fields: ExplainedField[]; warnings: readonly string[]; settings: AgentSettings
}> {
  const { env } = process
  const home = hermesHome(env)
  const settings = await readAgentSettings(env, home)
  const name = join(home, 'config.yaml')
  const source = await readSource(name, shownHome(name), undefined)
  const names = settingNames().filter((setting) => (setting.split('.')[0] ?? '') in AGENT_FIELDS)
  const fields = names.map((field): ExplainedField => {
    const chosen = CHOSEN[field]
    const value = chosen ? shownValue(settings, chosen)
      : field.split('.').reduce<unknown>((holder, key) => (isRecord(holder) ? holder[key] : undefined), source?.values)
    const from = chosen ? settings.from[chosen] ?? 'default' : source?.place(...field.split('.')) ?? 'default'
    return {
      name: field, values: valuesOf(value).map((item) => ({ value: item, from: shownHome(from) })),
      isList: Array.isArray(value),
    }
  })
  const variables = ENV_VARIABLES.flatMap(({ name: variable, isOfEnvironment }): ExplainedField[] => {
    const value = (isOfEnvironment === true ? env : settings.env)[variable]
    if (value === undefined || value === '') return []
    const from = env[variable] ? 'environment' : shownHome(join(home, '.env'))
    return [{ name: variable, values: [{ value: isSecretVariable(variable) ? UNSEEN : value, from }], isList: false }]
  })
  return { fields: [...fields, ...variables], warnings: settings.warnings, settings }
}

/** Headers may hold keys. */
function shownValue(settings: AgentSettings, key: keyof AgentSettings): unknown {
  const { headers, personality } = settings
  if (key === 'headers') return headers && Object.fromEntries(Object.keys(headers).map((name) => [name, UNSEEN]))
  return key === 'personality' ? personality?.name : settings[key]
}

function valuesOf(value: unknown): string[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.map(String)
  return [isRecord(value) ? JSON.stringify(value) : String(value)]
}
