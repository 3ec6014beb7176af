import { type ApprovedPath, HermesError, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import { checkInserted } from '../../../1-edits/src/index.js'
import {
  approvePath, checkSignal, checkSize, formatNodeError, getByteLength, writeText,
} from '../../../2-files/src/index.js'
import { ParseTime, whatBroke } from '../../../2-syntax/src/index.js'
import type { Rewritten } from './rewrite-file.js'

/** A file to write. */
type WrittenFile = Pick<Rewritten, 'path' | 'shown' | 'before' | 'content'> & {
  /** Without it the syntax is not checked. */
  language: Rewritten['language'] | undefined
} & Partial<Pick<Rewritten, 'wasBroken' | 'firstMatch'>>

interface WriteOptions {
  /** The model's new code, which is checked for placeholders of omitted code. */
  rewrite?: string
  /** Advice for the case that the result has a syntax error. */
  wrong: string
}

/**
 * Writes all files or none: checks everything before writing the first, and restores those already written if one
 * fails.
 *
 * @throws HermesError `POLICY_DENIED`, `FILE_TOO_LARGE`, `ELIDED_CONTENT`, `INVALID_PARAMETER` for new syntax errors,
 * and as `writeText`
 */
export async function writeAll(
  verb: string, files: readonly WrittenFile[], context: VerbContext, { rewrite, wrong }: WriteOptions,
): Promise<void> {
  const time = new ParseTime()
  const targets: ApprovedPath[] = []
  for (const { path, shown, before, content, wasBroken, firstMatch = '', language } of files) {
    checkSignal(context.signal)
    targets.push(approvePath(context.gate, verb, path, 'write'))
    if (rewrite !== undefined) checkInserted({
      verb, parameter: 'rewrite', path: shown, content: before, removed: firstMatch, inserted: rewrite,
    })
    checkSize(verb, shown, getByteLength(content), context.limits.maxFileBytes)
    if (wasBroken || language === undefined) continue
    const { parseErrors: [error] } = await whatBroke(language, before, content, time)
    if (!error) continue
    const would = JSON.stringify(error.text.slice(0, 120).toWellFormed())
    throw new HermesError('INVALID_PARAMETER', `${verb}: ${shown} could not be parsed any more`, {
      hint: `Nothing was changed. Line ${error.line} would be ${would}. ${wrong}`,
    })
  }
  const written: WrittenFile[] = []
  try {
    for (const [index, file] of files.entries()) {
      writeText(verb, file.shown, targets[index]!, file.content, context)
      written.push(file)
    }
  } catch (error) {
    for (const [index, file] of written.entries()) writeText(verb, file.shown, targets[index]!, file.before, context)
    const failed = files[written.length]
    if (!failed || !isNodeError(error)) throw error
    throw new HermesError(error.code, formatNodeError(error, failed.shown, verb), {
      hint: 'Nothing was changed: all files are as they were.', cause: error,
    })
  }
}
