import { sep } from 'node:path'
import * as v from 'valibot'
import { described, HermesError, isNodeError, texts } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, OverwriteCheck, VerbContext, WriteOutcome } from '../../../0-contracts/src/index.js'
import { leakedEnd } from '../../../1-reading/src/index.js'
import { getByteLength, namedAs } from '../store/index.js'
import { approvePath } from './approve-path.js'
import { pathError } from './path-error.js'
import { readAside } from './read-aside.js'
import { withParents } from './with-parents.js'

/** Result fields of all verbs that write a file's content. */
export const writeNotes = {
  brokeHardLink: v.optional(described(v.boolean(), 'The file had other names; they keep the old content.')),
}

/** Result field of all verbs that create missing parent directories. */
export const parentNotes = {
  createdDirs: v.optional(texts('The directories that were created, outermost first. Absent when there were none.')),
}

/** The value of `parentNotes`, if it applies. */
export function parentsOf(createdDirs: string[]): { createdDirs?: string[] } {
  return createdDirs.length > 0 ? { createdDirs } : {}
}

/** The values of `writeNotes` that apply. */
export function notesOf(written: WriteOutcome): { brokeHardLink?: true } {
  return written.brokeHardLink ? { brokeHardLink: true } : {}
}

/**
 * Writes the whole content of a file, within the size limit.
 *
 * @param check for the content that is replaced, see `overwriteCheck`
 * @throws HermesError `FILE_TOO_LARGE`, `EISDIR`; whatever the check throws
 */
export function writeText(
  verb: string, path: string, target: ApprovedPath, content: string | Uint8Array,
  { files, limits, advise }: VerbContext, check?: OverwriteCheck,
): WriteOutcome {
  // A UTF-16 unit takes at most three bytes.
  if (content.length * 3 > limits.maxFileBytes) {
    checkSize(verb, path, typeof content === 'string' ? getByteLength(content) : content.length, limits.maxFileBytes)
  }
  const leaked = typeof content === 'string' && advise ? leakedEnd(path, content) : undefined
  let stoodBefore = false
  const checks: OverwriteCheck | undefined = leaked === undefined ? check : (size, read) => {
    check?.(size, read)
    stoodBefore = size <= limits.maxFileBytes && leakedEnd(path, readAside(read) ?? '') === leaked
  }
  try {
    const written = namedAs(path, target, () => files.write(target, content, checks))
    if (leaked !== undefined && !stoodBefore) {
      advise?.(`The file now ends in \`${leaked}\`, which belongs to the call that writes it or to the answer, hardly `
        + 'to a file. Take it out, unless it is meant.', true)
    }
    return written
  } catch (error) {
    if (isNodeError(error) && error.code === 'EISDIR') {
      throw pathError('EISDIR', verb, path, `It is a directory. Write the name of a file in it.`)
    }
    throw error
  }
}

/**
 * As `writeText`, and creates missing directories.
 *
 * @returns also the created directories, outermost first, in the form in which the path was written
 */
export function writeWithParents(
  verb: string, path: string, target: ApprovedPath, content: string | Uint8Array, context: VerbContext,
  check?: OverwriteCheck,
): { written: WriteOutcome; createdDirs: string[] } {
  const write = (): WriteOutcome => writeText(verb, path, target, content, context, check)
  try {
    return { written: write(), createdDirs: [] }
  } catch (error) {
    // Only on failure: most parents exist, and a check costs as much as a small write.
    if (!isNodeError(error) || error.code !== 'ENOENT') throw error
    const { value, createdDirs } = withParents(context.files, path, target, write)
    return { written: value, createdDirs }
  }
}

/** @throws HermesError `FILE_TOO_LARGE` */
export function checkSize(verb: string, path: string, bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return
  throw new HermesError('FILE_TOO_LARGE', `${verb}: '${path}' would have ${bytes} bytes, the limit is ${maxBytes}`, {
    hint: 'Nothing was written. Split the content into several files.',
  })
}

/**
 * Approves a file to write.
 *
 * @throws HermesError `EISDIR` for a path that ends in a separator, and as the gate
 */
export function fileToWrite(verb: string, path: string, { gate }: Pick<VerbContext, 'gate'>): ApprovedPath {
  if (!path.endsWith('/') && !path.endsWith(sep)) return approvePath(gate, verb, path, 'write')
  throw pathError('EISDIR', verb, path, 'A path that ends in / names a directory. Write the name of a file.')
}
