import { shownHome, type AgentSettings, type ExplainedField } from '../../../2-config/src/index.js'
import { createPalette } from '../../../1-reports/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import type { ServiceState } from './service-states.js'

export interface ShownStatus {
  /** Fields and variables that are set. */
  set: readonly ExplainedField[]
  services: readonly ServiceState[]
  warnings: readonly string[]
  colour: boolean
}

/** The agent's settings, and hermes' background processes, for people. */
export function renderStatus(
  version: string, settings: AgentSettings, { set, services, warnings, colour }: ShownStatus,
): string {
  const { faint, note, good, bad } = createPalette(colour)
  const from = (key: string): string => faint(`  (${escapeControls(settings.from[key] ?? 'default')})`)
  const row = (name: string, value: string): string => `${name.padEnd(14)}${value}`
  const variables = set.filter(({ name }) => /^[A-Z]/.test(name)).map(({ name }) => name)
  return [
    row('hermes', version),
    row('files', escapeControls(shownHome(settings.home))),
    row(
      'model',
      settings.model === undefined ? note('none: hermes setup') : escapeControls(settings.model) + from('model'),
    ),
    row('server', escapeControls(settings.baseURL) + from('baseURL')),
    row(
      'key', `${settings.apiKeyName} ${settings.apiKey === undefined ? bad('not set') : good('set')}${from('apiKey')}`,
    ),
    row('style', `${settings.style}, ${settings.maxTurns} turns`),
    row('toolsets', `${settings.toolsets?.join(', ') ?? 'as the style has them'}`
      + (settings.disabledToolsets.length === 0 ? '' : `, without ${settings.disabledToolsets.join(', ')}`)),
    row('terminal', escapeControls(settings.terminal.backend ?? 'local')),
    ...(settings.personality ? [row('personality', escapeControls(settings.personality.name))] : []),
    row('variables', variables.length === 0 ? faint('none set') : variables.join(', ')),
    ...services.map(({ name, detail }) => row(name, escapeControls(detail))),
    ...warnings.map((warning) => note(escapeControls(warning))), '',
  ].join('\n')
}
