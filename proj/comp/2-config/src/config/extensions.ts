import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { userPolicy } from './load-policy.js'
import { USER_FILE } from './policy-files.js'
import { policyError } from './source.js'

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
}

/**
 * The extensions of `~/.hermes/config.yaml`, in its order. A project's file names none: it would start programs.
 *
 * @throws HermesError `INVALID_POLICY`
 */
export async function userExtensions(): Promise<ConfiguredExtension[]> {
  const user = await userPolicy(undefined)
  const home = homedir()
  return Object.entries(user?.values.extensions ?? {}).map(([name, given]) => {
    const { command, args = [], env = {}, memory, quiet, answers } = given
    const [program = '', ...others] =
      [command, ...args].map(word => (/^~[\\/]/.test(word) ? join(home, word.slice(2)) : word))
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
      ...(answers !== undefined && answers !== false && { answers }),
    }
  })
}
