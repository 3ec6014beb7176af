import { userExtensions } from '../../../2-config/src/index.js'
import type { Arguments } from '../arguments.js'
import type { ExtensionOptions } from './extension-limits.js'

/**
 * What a session has of `--extension`, else of the extensions of the user's config through which every answer goes, or
 * that bring verbs. What runs them is loaded only where there are any.
 *
 * @throws HermesError `INVALID_OPTION`, `INVALID_POLICY`
 */
export async function wantedExtensions(args: Arguments, usesStdin: boolean): Promise<ExtensionOptions> {
  const given = args.values('extension')
  const configured = given.length > 0 ? [] : await userExtensions()
  const extensions = given.length > 0 ? given : configured.flatMap(({ name, answers }) => (
    answers === undefined ? [] : [answers === true ? name : `${name}:${answers}`]
  ))
  if (extensions.length === 0 && !configured.some(({ verbs }) => verbs)) return {}
  const options = (await import('./extension-flags.js')).extensionOptions(args, usesStdin)
  return { ...options, ...(extensions.length > 0 && { extensions }) }
}
