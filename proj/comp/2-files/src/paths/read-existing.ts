import * as v from 'valibot'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { namedAs, readText } from '../store/index.js'
import { approvePath } from './approve-path.js'
import { missingPath } from './missing-path.js'
import { pathError } from './path-error.js'
import { relatedVerbs } from './related-verbs.js'

/**
 * Reads a text file that must exist, BOM and line endings kept.
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

/** The bytes of a file that must exist; throws as `readExisting` does, but `NOT_TEXT` for devices and pipes only. */
export function readExistingBytes(
  verb: string, path: string, context: VerbContext,
): { target: ApprovedPath; bytes: Uint8Array } {
  const target = approvePath(context.gate, verb, path, 'read')
  const bytes = ofExisting(verb, path, target, context, () => withinLimit(context, 'read', () =>
    namedAs(path, target, () => context.files.readBytes(target, context.limits.maxFileBytes))))
  return { target, bytes }
}

/** Result field of every verb that reads a whole file. */
export const readNotes = {
  hardLinks: v.optional(v.pipe(
    v.number(), v.integer(),
    v.description('How many names the file has, where it has several: the others may lie outside the root.'),
  )),
}

/** The field of `readNotes`, where it applies. */
export function linksOf(target: ApprovedPath, { files }: Pick<VerbContext, 'files'>): { hardLinks?: number } {
  const links = files.stat(target)?.links ?? 1
  return links > 1 ? { hardLinks: links } : {}
}

/** A file that must exist, to be read piece by piece. @throws HermesError as `readExisting`, `NOT_TEXT` apart */
export function requireFile(verb: string, path: string, context: VerbContext): ApprovedPath {
  const target = approvePath(context.gate, verb, path, 'read')
  const found = context.files.stat(target)
  if (found === undefined) throw missingPath(verb, path, target, context)
  if (found.kind === 'directory') throw isDirectory(verb, path, context)
  return target
}

/** Says what else can be done where a file is too large to be read whole. */
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
