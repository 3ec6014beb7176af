import { isAbsolute } from 'node:path'
import { inHome } from './hermes-home.js'
import { USER_FILE } from './policy-files.js'
import { policyError, type PolicySource } from './source.js'

/** An extension that the user's file names. */
export interface ConfiguredExtension {
  name: string
  /** Program and arguments. */
  command: readonly string[]
  /** On top of the user's environment. */
  env: Readonly<Record<string, string>>
  /** That it may hold with all that it starts (Linux). Default: as for what hermes starts for itself. */
  mostMemoryBytes?: number | undefined
  /** How long it has to be quiet for its command to be done, where it does not announce the end. Default 5,000. */
  quietMs?: number | undefined
  /** The command through which every answer goes; `true`: its only one. Without it only those that ask for it. */
  answers?: string | true | undefined
  /** The verbs that it brings: by these names, and no others, models can call it. Default: none. */
  verbs?: readonly string[] | undefined
}

/**
 * The extensions of the user's file, in its order.
 *
 * @param bringVerbs only those that do: what is wrong with others is told when they are used
 * @throws HermesError `INVALID_POLICY`
 */
export function extensionsOf(user: PolicySource | undefined, bringVerbs = false): ConfiguredExtension[] {
  const all = Object.entries(user?.values.extensions ?? {})
  return all.filter(([, { verbs = [] }]) => !bringVerbs || verbs.length > 0).map(([name, given]) => {
    const { command, args = [], env = {}, memory, quiet, answers, verbs } = given
    const [program = '', ...others] = [command, ...args].map(inHome)
    // What the working directory is, models decide: it has to mean the same everywhere.
    if (/[\\/]/.test(program) && !isAbsolute(program)) {
      const place = user?.place('extensions', name, 'command') ?? USER_FILE
      throw policyError(
        'INVALID_POLICY',
        [`${place}: extensions.${name}.command: write an absolute path, ~/…, or the name of a program`],
      )
    }
    return {
      name, command: [program, ...others], env, mostMemoryBytes: memory, quietMs: quiet,
      ...(answers !== undefined && answers !== false && { answers }), ...(verbs && { verbs }),
    }
  })
}
