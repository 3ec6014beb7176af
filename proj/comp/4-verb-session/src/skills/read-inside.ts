import { constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError, unlessCode } from '../../../0-contracts/src/index.js'
import { closing, isInside } from '../../../2-files/src/index.js'
import { MAX_SKILL_BYTES } from './skill.js'

/**
 * Reads a text file in a folder, by any name; links that lead out of the folder are not followed.
 *
 * @param directory absolute, links resolved
 * @throws HermesError `POLICY_DENIED`, `FILE_TOO_LARGE`, `NOT_TEXT`; Node's error where there is none
 */
export function readInside(directory: string, file: string): string {
  const path = file.includes('\0') ? undefined : realpathSync.native(join(directory, file))
  if (path === undefined || path === directory || !isInside(directory, path)) throw outside(file)
  // Opened so that a link put in its place meanwhile is not followed, and a pipe does not block.
  const descriptor = unlessCode(['ELOOP'], () => (
    openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  ), undefined)
  if (descriptor === undefined) throw outside(file)
  return closing(descriptor, () => {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new HermesError('NOT_TEXT', `Not a file: ${file}`, { hint: 'Name a file of the skill.' })
    if (stats.size > MAX_SKILL_BYTES) {
      throw new HermesError(
        'FILE_TOO_LARGE', `${file} has ${stats.size} bytes; files of skills have at most ${MAX_SKILL_BYTES}`,
        { hint: 'Split it into several files.' },
      )
    }
    const bytes = readFileSync(descriptor)
    const text = bytes.toString('utf8')
    if (text.includes('\0') || !Buffer.from(text).equals(bytes)) {
      throw new HermesError('NOT_TEXT', `${file} is not UTF-8 text`, { hint: 'Only texts can be shown.' })
    }
    return text
  })
}

function outside(file: string): HermesError {
  return new HermesError('POLICY_DENIED', `${file} is outside of the skill's folder`, {
    hint: 'Name a file as skill_view lists it, e.g. references/api.md.',
  })
}
