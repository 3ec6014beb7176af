import { explainAgent } from '../../../../2-config/src/index.js'
import { renderStatus, serviceStates } from '../../../../7-setup/src/index.js'
import type { Arguments } from '../../arguments.js'
import type { Program } from '../../command.js'
import { asTyped, printFound, wantsColour } from '../../io/output.js'

/** `hermes status`: what the agent would work with, and what of hermes runs in the background. */
export async function status(args: Arguments, program: Program): Promise<number> {
  const { fields, warnings, settings } = await explainAgent()
  const services = await serviceStates(settings)
  const set = fields.filter(({ values }) => values.length > 0)
  const { home, model = null, baseURL, apiKeyName: name, apiKey } = settings
  const version = program.version()
  return printFound(args, {
    version, home, model, baseURL, key: { name, isSet: apiKey !== undefined }, fields: set, services, warnings,
  }, () => asTyped(renderStatus(version, settings, { set, services, warnings, colour: wantsColour() })))
}
