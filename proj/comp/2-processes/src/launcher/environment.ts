import { trustedEnvironment } from './trusted-path.js'

/** The variables of a program; `undefined` is none. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of hermes' own programs (git, ps, a browser): its own, with the trusted part of PATH. */
export function ownEnvironment(changes: Environment = {}): Record<string, string | undefined> {
  return { ...trustedEnvironment(process.env), ...changes }
}

/** What HERMES_RUN holds for a run: where hermes runs hermes, both find by it what belongs to their run. */
export function nestedRun(run: string): string {
  const outer = process.env['HERMES_RUN']
  return outer === undefined ? run : `${outer}:${run}`
}
