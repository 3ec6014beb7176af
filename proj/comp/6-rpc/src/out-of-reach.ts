import { dirname, join, resolve } from 'node:path'
import { HermesError } from '../../0-contracts/src/index.js'
import { hermesHome, makeOwnDirectory } from '../../2-config/src/index.js'
import { outputTarget, runRootOf } from '../../2-files/src/index.js'

/**
 * Makes sure that commands of runs cannot use what gives access to the server: in the root or an `--allow` directory a
 * command could connect as a client, also from its sandbox, and answer its own approvals.
 *
 * @param kind what is going to be made at `path`; where that is in `~/.hermes`, the directory is made too
 * @throws HermesError `POLICY_DENIED`
 */
export function requireOutOfReach(kind: 'socket' | 'token', path: string): void {
  const root = runRootOf(outputTarget(path))
  const home = hermesHome()
  if (root === undefined) {
    if (dirname(resolve(path)) === home) makeOwnDirectory(home)
    return
  }
  const example = runRootOf(join(home, 'serve')) === undefined
    ? `, e.g. ${join(home, kind === 'socket' ? 'serve.sock' : 'serve.token')}` : ''
  throw new HermesError('POLICY_DENIED', `The ${kind} ${path} is in ${root}, where commands work: they could use it`, {
    hint: `Name a path outside of the root and the --allow directories${example}.`,
  })
}
