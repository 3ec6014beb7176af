import { explainAgent, shownHome } from '../../../config/src/index.js'
import { createPalette } from '../../../reports/src/index.js'
import { escapeControls } from '../../../text/src/index.js'
import { serviceStates } from '../../../setup/src/index.js'
import type { Arguments } from '../arguments.js'
import type { Program } from '../command.js'
import { EXIT } from '../exit-codes.js'
import { print, printJson, wantsColour } from '../output.js'

/** `hermes status`: what the agent would work with, and what of hermes runs in the background. */
export async function status(args: Arguments, program: Program): Promise<number> {
  const { fields, warnings, settings } = await explainAgent()
  const services = await serviceStates(settings)
  const set = fields.filter(({ values }) => values.length > 0)
  if (args.has('json')) {
    printJson({
      version: program.version(), home: settings.home, model: settings.model ?? null, baseURL: settings.baseURL,
      key: { name: settings.apiKeyName, isSet: settings.apiKey !== undefined }, fields: set, services, warnings,
    })
    return EXIT.ok
  }
  const { faint, note, good, bad } = createPalette(wantsColour())
  const from = (key: string): string => faint(`  (${escapeControls(settings.from[key] ?? 'default')})`)
  const row = (name: string, value: string): string => `${name.padEnd(14)}${value}`
  const variables = set.filter(({ name }) => /^[A-Z]/.test(name)).map(({ name }) => name)
  print([
    row('hermes', program.version()),
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
    ...warnings.map((one) => note(escapeControls(one))), '',
  ].join('\n'))
  return EXIT.ok
}
