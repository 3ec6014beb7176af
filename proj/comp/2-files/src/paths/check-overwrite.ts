import { HermesError, type OverwriteCheck, type VerbContext } from '../../../0-contracts/src/index.js'
import {
  checkInserted, DROPPED_SHARE, excerptOf, findElision, linesOf, type LostLines, lostLines, mayNeedOldText,
} from '../../../1-edits/src/index.js'
import { readAside } from './read-aside.js'

/** @throws HermesError `ELIDED_CONTENT` where content of a whole file has a line that stands for omitted lines */
export function checkNotElided(path: string, content: string): void {
  const elision = findElision(content, '')
  if (!elision) return
  throw new HermesError('ELIDED_CONTENT',
    `Line ${elision.line + 1} of '${path}' stands for text left out: ${elision.text}`, {
    hint: 'Nothing was written. Write the whole file, with what the line stands for.',
  })
}

/**
 * A check for `FileStore.write` that finds mistakes in content that replaces a whole file. It reads the file only if
 * there may be a mistake, and unrecorded, so that the write still detects changes by others. Throws `ELIDED_CONTENT`
 * and `INVALID_PARAMETER`.
 */
export function overwriteCheck(
  verb: string, path: string, content: string,
  { limits, advise, takesWholeFile }: Pick<VerbContext, 'limits' | 'advise' | 'takesWholeFile'>,
): OverwriteCheck | undefined {
  if (takesWholeFile) {
    return (size, read) => checkWholeFile(verb, path, content, size <= limits.maxFileBytes ? read : undefined)
  }
  const needsOld = mayNeedOldText(content)
  if (!needsOld && !advise) return undefined
  return (size, read) => checkOverwrite({ verb, path, content, needsOld, limits, advise }, size, read)
}

interface Overwrite {
  verb: string
  path: string
  content: string
  needsOld: boolean
  limits: VerbContext['limits']
  advise: VerbContext['advise']
}

function checkOverwrite(
  { verb, path, content, needsOld, limits, advise }: Overwrite, bytes: number, read: () => Uint8Array,
): void {
  const size = bytes <= limits.maxFileBytes ? bytes : 0
  const share = limits.droppedShare ?? DROPPED_SHARE
  if (!needsOld && content.length >= size) return
  const old = size === 0 ? '' : readAside(read)
  if (old === undefined) return
  if (needsOld) checkInserted({ verb, parameter: 'content', path, content: old, removed: old, inserted: content })
  const lost = lostLines(old, content, share)
  if (lost) {
    if (excerptOf(old, content)) throw excerpt(verb, path, lost)
    advise?.(`The file had ${lost.before} lines that are not blank and now has ${lost.after}. `
      + 'If they should not have gone, write them again.')
  }
}

/** Checks the content of a fence read as a whole file (docs/formats.md). */
function checkWholeFile(
  verb: string, path: string, content: string, read: (() => Uint8Array) | undefined,
): void {
  const old = read && readAside(read)
  if (old === undefined || old.trim() === '') return
  if (mayNeedOldText(content)) {
    checkInserted({ verb, parameter: 'content', path, content: old, removed: old, inserted: content })
  }
  const [before, after] = [linesOf(old.trimEnd()).length, linesOf(content.trimEnd()).length]
  const isPassage = passageOf(old, content)
  if (!isPassage && (before < FEW_LINES || after * 2 >= before)) return
  const what = isPassage ? `is a passage of it, ${after} of its ${before} lines`
    : `has ${after} lines, the file ${before}`
  throw new HermesError('EXCERPT', `The new content of '${path}' ${what}`, {
    hint: 'Nothing was written: the other lines would be lost. Write the whole file, or replace only the lines that '
      + 'are to change.',
  })
}

/** Files with fewer lines may be replaced without this check. */
const FEW_LINES = 6

function passageOf(old: string, content: string): boolean {
  const [whole, part] = [old, content].map((text) => `\n${text.replaceAll('\r\n', '\n').replace(/^\n+|\s+$/g, '')}\n`)
  return part!.length < whole!.length && whole!.includes(part!)
}

function excerpt(verb: string, path: string, { before, after }: LostLines): HermesError {
  const message = `${verb}: content is a passage from the middle of '${path}', ${after} of its ${before} lines`
  return new HermesError('ELIDED_CONTENT', message, {
    hint: 'Nothing was written: the lines around it would be lost. Write the whole file, or replace only the lines '
      + 'that are to change.',
  })
}
