import * as v from 'valibot'
import { type ApprovedPath, HermesError, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import { namedAs, readText } from '../store/index.js'
import { approvePath } from './approve-path.js'
import { missingPath } from './missing-path.js'
import { pathError } from './path-error.js'
import { relatedVerbs } from './related-verbs.js'

/**
 * Reads an existing text file, with BOM and line endings.
 *
 * @param access `write` when the file is going to be changed
 * @throws HermesError `ENOENT` with the nearest name, `ENOTDIR`, `EISDIR`, `NOT_TEXT`, `FILE_TOO_LARGE`,
 *   `POLICY_DENIED`
 */
export function readExisting(
  verb: string, path: string, access: 'read' | 'write', context: VerbContext,
): { target: ApprovedPath; content: string } {
  const target = approvePath(context.gate, verb, path, access)
  const content = ofExisting(verb, path, target, context, () =>
    withinLimit(context, access, () => readText(context.files, target, context.limits.maxFileBytes, path)))
  return { target, content }
}

/** The bytes of an existing file; throws as `readExisting`, but `NOT_TEXT` only for devices and pipes. */
export function readExistingBytes(
  verb: string, path: string, context: VerbContext,
): { target: ApprovedPath; bytes: Uint8Array } {
  const target = approvePath(context.gate, verb, path, 'read')
  const bytes = ofExisting(verb, path, target, context, () => withinLimit(context, 'read', () =>
    namedAs(path, target, () => context.files.readBytes(target, context.limits.maxFileBytes))))
  return { target, bytes }
}

/** Result field of all verbs that read a whole file. */
export const readNotes = {
  hardLinks: v.optional(v.pipe(
    v.number(), v.integer(),
    v.description('How many names the file has, where it has several: the others may lie outside the root.'),
  )),
}

/** The value of `readNotes`, if it applies. */
export function linksOf(target: ApprovedPath, { files }: Pick<VerbContext, 'files'>): { hardLinks?: number } {
  const links = files.stat(target)?.links ?? 1
  return links > 1 ? { hardLinks: links } : {}
}

/**
 * An existing file, to be read in chunks.
 *
 * @throws HermesError as `readExisting`, except `NOT_TEXT`
 */
export function requireFile(verb: string, path: string, context: VerbContext): ApprovedPath {
  const target = approvePath(context.gate, verb, path, 'read')
  const stat = context.files.stat(target)
  if (stat === undefined) throw missingPath(verb, path, target, context)
  if (stat.kind === 'directory') throw isDirectory(verb, path, context)
  return target
}

/** Adds a hint where a file is too large to be read whole. */
export function withinLimit<T>(
  context: Pick<VerbContext, 'vocabulary'>, access: 'read' | 'write', read: () => T,
): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof HermesError) || error.code !== 'FILE_TOO_LARGE') throw error
    const { readPart, command } = relatedVerbs(context)
    const hint = access === 'read'
      ? readPart
      : `No verb changes a file of this size: change it with a command (${command}).`
    throw new HermesError(error.code, error.message, { hint, cause: error })
  }
}

function ofExisting<T>(verb: string, path: string, target: ApprovedPath, context: VerbContext, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (isNodeError(error)) {
      if (error.code === 'ENOENT') throw missingPath(verb, path, target, context)
      if (error.code === 'EISDIR') throw isDirectory(verb, path, context)
    }
    throw error
  }
}

function isDirectory(verb: string, path: string, context: VerbContext): HermesError {
  return pathError('EISDIR', verb, path, `It is a directory; ${relatedVerbs(context).list} lists what is in it.`)
}
