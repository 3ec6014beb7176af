import { addPackages, HermesError, orNothing } from '../../0-contracts/src/index.js'
import { locatingPty, type PtyModule } from '../../2-processes/src/index.js'
import { findPackage } from './find-package.js'
import { loadPinned } from './pinned-module.js'
import { verifiedPath } from './verified.js'

const PACKAGE = '@lydell/node-pty'
const BINARIES = `${PACKAGE}-${process.platform}-${process.arch}`
const HINT = `exec and execute_command run commands without a terminal. The user can add it: ${addPackages(PACKAGE)}.`

let loaded: PtyModule | undefined

/**
 * Loads the optional package for pseudoterminals, when the first shell is opened.
 *
 * @throws HermesError `NOT_INSTALLED`
 */
export function loadPty(verb: string): PtyModule {
  if (process.platform === 'win32') {
    throw new HermesError('NOT_INSTALLED', `${verb}: there are no shells on a terminal on Windows yet`, {
      hint: 'exec and execute_command run commands without a terminal.',
    })
  }
  const directory = findPackage(PACKAGE)
  if (directory === undefined) throw notInstalled(verb, 'is not installed')
  try {
    loaded ??= locatingPty(loadPinned(PACKAGE, directory, 'index.js', binary) as PtyModule)
    return loaded
  } catch (error) {
    if (error instanceof HermesError) {
      throw new HermesError(error.code, `${verb}: ${error.message}`, { hint: error.hint ?? HINT, cause: error })
    }
    const [why = ''] = String(error instanceof Error ? error.message : error).split('\n')
    throw notInstalled(verb, `cannot be loaded here: ${why}`, error)
  }
}

/** Path of a file in the package for this platform: the addon, and on macOS a helper program. */
function binary(id: string): string | undefined {
  const directory = id.startsWith(`${BINARIES}/`) ? findPackage(BINARIES, [PACKAGE]) : undefined
  if (directory === undefined) return undefined
  return orNothing(() => verifiedPath(BINARIES, directory, id.slice(BINARIES.length + 1)), undefined)
}

function notInstalled(verb: string, what: string, cause?: unknown): HermesError {
  return new HermesError('NOT_INSTALLED', `${verb}: the package ${PACKAGE} ${what}`, { hint: HINT, cause })
}
