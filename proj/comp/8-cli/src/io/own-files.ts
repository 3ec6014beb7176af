import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'

/** The files of hermes that are loaded when they are first needed, by a process that stays. */
export class OwnFiles {
  readonly #paths: readonly string[]

  /** @param packageFile where hermes' package.json stands */
  constructor(packageFile: URL) {
    this.#paths = ['.', 'cli'].map((folder) => join(builtOf(packageFile), folder))
      .flatMap((folder) => orNothing(() => readdirSync(folder), []).filter((name) => name.endsWith('.cjs'))
        .map((name) => join(folder, name)))
  }

  /** @throws HermesError `NOT_INSTALLED` where they are not those that the process began with */
  requirePresent(): void {
    if (!this.#paths.every((path) => existsSync(path))) throw replaced()
  }
}

/** What comes of a file of hermes that is not there any more. */
export function isOfOwnFile(error: unknown, packageFile: URL): boolean {
  if (!isNodeError(error) || error.code !== 'ENOENT' || error.path === undefined) return false
  return error.path.startsWith(builtOf(packageFile) + sep) && error.path.endsWith('.cjs')
}

export function replaced(): HermesError {
  return new HermesError('NOT_INSTALLED', 'hermes was replaced or removed while it ran', { hint: 'Start it again. What '
    + 'had run stays; hermes log lists it.' })
}

function builtOf(packageFile: URL): string {
  return fileURLToPath(new URL('dist', packageFile))
}
