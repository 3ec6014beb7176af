import { basename, join, sep } from 'node:path'
import { type FileStat, HermesError, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import { namedAs, approvePath, missingPath, pathError, relatedVerbs, withParents } from '../../../2-files/src/index.js'
import { fileExists, parentMissing } from './destination.js'
import { removableEntries } from './removable-entries.js'

export interface Move {
  from: string
  to: string
  /** Name of the parameter that gave `to`. */
  parameter: string
  /** Whether an existing file is replaced; otherwise it is `EEXIST`. */
  overwrite: boolean
  /** Whether missing parent directories are created; otherwise they are `ENOENT`. */
  parents: boolean
}

/**
 * Moves a file, a link itself, or a directory with nothing denied in it.
 *
 * @returns the created directories, outermost first, in the form `to` was written, and whether a file was replaced
 * @throws HermesError `ENOENT`, `EEXIST`, `EISDIR`, `INVALID_PARAMETER` for a directory into itself, `POLICY_DENIED`
 */
export async function moveEntry(
  verb: string, move: Move, context: VerbContext,
): Promise<{ createdDirs: string[]; overwrote: boolean }> {
  const { files, gate } = context
  const from = approvePath(gate, verb, move.from, 'remove')
  const to = approvePath(gate, verb, move.to, 'remove')
  const source = files.lstat(from)
  if (source === undefined) throw missingPath(verb, move.from, from, context)
  if (from === to) return { createdDirs: [], overwrote: false }
  const replaced = files.lstat(to)
  checkDestination(verb, move, source, replaced, to.startsWith(from + sep), context)
  if (source.kind === 'directory') removableEntries(verb, move.from, from, context, 'Move')
  for (const path of [from, to]) await files.readAhead?.(path, context)
  try {
    const moveIt = (): void => namedAs(move.to, to, () => files.move(from, to))
    if (!move.parents) moveIt()
    const createdDirs = move.parents ? withParents(files, move.to, to, moveIt).createdDirs : []
    return { createdDirs, overwrote: replaced !== undefined }
  } catch (error) {
    if (!isNodeError(error)) throw error
    if (!move.parents && error.code === 'ENOENT') throw parentMissing(verb, move.to, to, context)
    if (error.code !== 'EACCES' || error.path === undefined || error.path === from) throw error
    const hint = `The directory of ${move.parameter} may not be changed: move it elsewhere.`
    throw pathError('EACCES', verb, move.to, hint)
  }
}

function checkDestination(
  verb: string, { from, to, parameter, overwrite }: Move, source: FileStat, replaced: FileStat | undefined,
  inside: boolean, context: VerbContext,
): void {
  const isDirectory = source.kind === 'directory'
  if (isDirectory && inside) {
    throw new HermesError('INVALID_PARAMETER', `${verb}: a directory cannot be moved into itself: '${to}'`, {
      hint: `Write a ${parameter} that is not below '${from}'.`,
    })
  }
  const intoIt = `${parameter}${relatedVerbs(context).assignment}"${join(to, basename(from))}"`
  if (replaced === undefined) {
    if (isDirectory || !to.endsWith('/')) return
    throw pathError('ENOENT', verb, to, `Write the name of the file too: ${intoIt}.`)
  }
  if (replaced.kind === 'directory' && !isDirectory) {
    throw pathError('EISDIR', verb, to, `It is a directory. To move the file into it write ${intoIt}.`)
  }
  if (isDirectory) {
    throw pathError('EEXIST', verb, to, 'A directory replaces nothing. Write a path where nothing is yet.')
  }
  if (!overwrite) throw fileExists(verb, to)
}
