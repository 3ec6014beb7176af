import { trustedEnvironment } from './trusted-path.js'

/** The variables of a program; `undefined` is none. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of hermes' own programs (git, ps, a browser): its own, with the trusted part of PATH. */
export function ownEnvironment(changes: Environment = {}): Record<string, string | undefined> {
  return { ...trustedEnvironment(process.env), ...changes }
}
