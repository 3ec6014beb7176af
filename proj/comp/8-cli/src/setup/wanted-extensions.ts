import { userExtensions } from '../../../2-config/src/index.js'
import type { ExecutorOptions } from '../../../5-executor/src/index.js'
import type { Arguments } from '../arguments.js'

/**
 * What a session has of `--extension`, else of the extensions of the user's config through which every answer goes.
 * What runs them is loaded only where there are any.
 *
 * @throws HermesError `INVALID_OPTION`, `INVALID_POLICY`
 */
export async function wantedExtensions(args: Arguments, usesStdin: boolean): Promise<Partial<ExecutorOptions>> {
  const given = args.values('extension')
  const extensions = given.length > 0 ? given : await extensionsOfAnswers()
  if (extensions.length === 0) return {}
  return (await import('./extension-flags.js')).extensionOptions(args, extensions, usesStdin)
}

async function extensionsOfAnswers(): Promise<string[]> {
  return (await userExtensions()).flatMap(({ name, answers }) => (
    answers === undefined ? [] : [answers === true ? name : `${name}:${answers}`]
  ))
}
