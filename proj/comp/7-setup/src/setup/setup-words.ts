import { ENV_VARIABLES, isSecretVariable, shownHome, type AgentSettings } from '../../../2-config/src/index.js'
import { didYouMean, escapeControls, usageError } from '../../../0-text/src/index.js'
import type { KeyVerdict } from './verify-key.js'

/** Refuses a variable that hermes does not keep. @param isSet it is to be set, and not taken away */
export function requireKnownVariable(name: string, isSet: boolean): void {
  const own = ENV_VARIABLES.find((envVariable) => envVariable.name === name)
  if (own?.isOfEnvironment === true && isSet) {
    throw usageError(
      `${name} is read from the environment only`,
      `What needs it (${own.tools.join(', ')}) does not read .env: export it there.`,
    )
  }
  const known = ENV_VARIABLES.filter((envVariable) => envVariable.isOfEnvironment !== true || envVariable.name === name)
    .map((envVariable) => envVariable.name)
  if (!known.includes(name)) {
    throw usageError(`hermes reads no variable ${name}`, `${didYouMean(name, known)}There are ${known.join(', ')}.`)
  }
}

/** What a setup wrote, and what counts now, for people. */
export function renderSetup(written: readonly string[], after: AgentSettings, verdict: KeyVerdict | undefined): string {
  const { model, baseURL, apiKeyName, apiKey } = after
  const where = written.map((name) => `${name}${isSecretVariable(name) ? ' (not shown)' : ''}`)
  const overridden = Object.entries({ model: 'HERMES_MODEL', base_url: 'OPENAI_BASE_URL' })
    .filter(([field, variable]) => written.includes(field) && (after.env[variable] ?? '') !== '')
  return [
    written.length === 0 ? 'Nothing was changed.'
      : `Written to ${escapeControls(shownHome(after.home))}: ${where.join(', ')}`,
    ...overridden.map(([field, variable]) => `${variable} is set, and counts before ${field}.`),
    ...(verdict === undefined ? [] : [`${verdict.works === true ? '✓' : '!'}  ${escapeControls(verdict.detail)}`]),
    model === undefined ? 'No model is configured yet: hermes setup --model NAME' : `Model: ${escapeControls(model)} `
      + `at ${escapeControls(baseURL)}, ${apiKeyName} ${apiKey === undefined ? 'not set' : 'set'}.`,
    ...after.warnings.map((warning) => escapeControls(warning)), '',
  ].join('\n')
}
