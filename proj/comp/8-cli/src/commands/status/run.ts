import { explainAgent } from '../../../../2-config/src/index.js'
import { renderStatus, serviceStates } from '../../../../7-setup/src/index.js'
import type { Arguments } from '../../arguments.js'
import type { Program } from '../../command.js'
import { EXIT } from '../../exit-codes.js'
import { print, printJson, wantsColour } from '../../io/output.js'
import { asTyped } from '../../io/typed-name.js'

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
  print(asTyped(renderStatus(program.version(), settings, { set, services, warnings, colour: wantsColour() })))
  return EXIT.ok
}
