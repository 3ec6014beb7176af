import { isAbsolute } from 'node:path'
import { inHome, shownOwnFile } from './hermes-home.js'
import { policyError, type PolicySource } from './source.js'

/** An extension in the user's config. */
export interface ConfiguredExtension {
  name: string
  /** Program and arguments. */
  command: readonly string[]
  /** Environment variables on top of the user's environment. */
  env: Readonly<Record<string, string>>
  /** Most bytes of memory, with its child processes (Linux). Default: that of hermes' own programs. */
  mostMemoryBytes?: number | undefined
  /** Milliseconds of silence after which its command counts as done, if it does not announce the end. Default 5,000. */
  quietMs?: number | undefined
  /** The command that rewrites every answer; `true`: its only one. Absent: only where it is asked for. */
  answers?: string | true | undefined
  /** Names of the verbs it provides; models can call only these. Default: none. */
  verbs?: readonly string[] | undefined
}

/**
 * The extensions of the user's file, in its order.
 *
 * @param bringVerbs only those that provide verbs; errors in others are reported when they are used
 * @throws HermesError `INVALID_POLICY`
 */
export function extensionsOf(user: PolicySource | undefined, bringVerbs = false): ConfiguredExtension[] {
  const all = Object.entries(user?.values.extensions ?? {})
  return all.filter(([, { verbs = [] }]) => !bringVerbs || verbs.length > 0).map(([name, given]) => {
    const { command, args = [], env = {}, memory, quiet, answers, verbs } = given
    const [program = '', ...others] = [command, ...args].map(inHome)
    // Models decide the working directory, so a relative path would not always mean the same program.
    if (/[\\/]/.test(program) && !isAbsolute(program)) {
      const place = user?.place('extensions', name, 'command') ?? shownOwnFile()
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
