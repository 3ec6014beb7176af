import type { Walls } from '../../../0-contracts/src/index.js'
import { shownOwnFile } from '../../../2-config/src/index.js'

/** What sudo says where nothing lets it become root. */
const NO_RIGHTS = new RegExp([
  String.raw`\bsudo: .*(?:"no new privileges" flag|effective uid is not 0|must be owned by uid 0`,
  String.raw`|is owned by uid \d+, should be 0|must be setuid root)`,
].join(''), 'i')
/** What it says where it wants a password. */
const NO_PASSWORD = new RegExp([
  String.raw`\bsudo: (?:a password is required|a terminal is required|no tty present|no password was provided`,
  String.raw`|\d+ incorrect password attempts?)`,
].join(''), 'i')

/** Why sudo failed in a sandbox; `undefined` where nothing points to that. */
export function sudoInSandbox(output: string): { meaning: string; kept: string } | undefined {
  return !NO_RIGHTS.test(output) ? undefined : {
    meaning: 'sudo cannot become root in it, and SUDO_PASSWORD is used only where commands run without one '
      + '(sandbox: none): ask the user to run that command',
    kept: 'sudo cannot become root',
  }
}

/**
 * Why sudo failed where nothing is around commands.
 *
 * @param state `used`: sudo is given SUDO_PASSWORD; `absent`: there is none; else why sudo is not given it
 */
export function sudoOutside(output: string, state: string): Walls | undefined {
  if (!NO_PASSWORD.test(output)) return undefined
  const why = state === 'used' ? 'sudo did not take SUDO_PASSWORD (it is given once to each sudo that is started by '
    + 'its name, without -S and -n)'
    : state === 'absent' ? 'sudo wants a password, and nobody can type it: the user can add SUDO_PASSWORD to '
      + shownOwnFile('.env')
      : `sudo wants a password, and SUDO_PASSWORD is not used: ${state}`
  return { hint: `${why}.`, kept: 'sudo wants a password', opens: [] }
}
