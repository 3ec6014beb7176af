import { HermesError, isNodeError } from '../../contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../contracts/src/index.js'
import {
  checkInserted, DROPPED_SHARE, excerptOf, type LostLines, lostLines, mayNeedOldText,
} from '../../edits/src/index.js'
import { decodeUtf8 } from '../../files/src/index.js'

/**
 * Looks for mistakes in content that is to replace a whole file. The file is read only where there may be one, and
 * that is not on record as a look at it: what someone else has changed must still be found out by the write.
 *
 * @throws HermesError `ELIDED_CONTENT`, `INVALID_PARAMETER`
 */
export function checkOverwrite(
  verb: string, path: string, target: ApprovedPath, content: string, context: VerbContext,
): void {
  const { files, limits, advise } = context
  const found = files.stat(target)
  const size = found?.kind === 'file' && found.size <= limits.maxFileBytes ? found.size : 0
  const share = limits.droppedShare ?? DROPPED_SHARE
  const needsOld = mayNeedOldText(content)
  if (!needsOld && (!advise || content.length >= size)) return
  const old = size === 0 ? '' : readAside(target, context)
  if (old === undefined) return
  if (needsOld) {
    checkInserted({ verb, parameter: 'content', path, content: old, removed: old, inserted: content })
  }
  const lost = lostLines(old, content, share)
  if (lost) {
    if (excerptOf(old, content)) throw excerpt(verb, path, lost)
    advise?.(`The file had ${lost.before} lines that are not blank and now has ${lost.after}. `
      + 'If they should not have gone, write them again.')
  }
}

function excerpt(verb: string, path: string, { before, after }: LostLines): HermesError {
  const message = `${verb}: content is a passage from the middle of '${path}', ${after} of its ${before} lines`
  return new HermesError('ELIDED_CONTENT', message, {
    hint: 'Nothing was written: the lines around it would be lost. Write the whole file, or replace only the lines '
      + 'that are to change.',
  })
}

/** `undefined` where it cannot be read as UTF-8. */
function readAside(target: ApprovedPath, { files }: VerbContext): string | undefined {
  try {
    return decodeUtf8(files.peekBytes(target, Infinity))
  } catch (error) {
    // What stands in the way of reading is the write's to say.
    if (isNodeError(error)) return undefined
    throw error
  }
}
