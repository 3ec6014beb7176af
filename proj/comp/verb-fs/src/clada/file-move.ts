import { basename, join, sep } from 'node:path'
import * as v from 'valibot'
import { absolutePath, defineVerb, HermesError, isNodeError } from '../../../contracts/src/index.js'
import type { FileStat } from '../../../contracts/src/index.js'
import { approvePath, missingPath, pathError, withParents } from '../../../verb-paths/src/index.js'
import { checkMovable } from '../check-movable.js'

/** Seed 002 `file_move`: `{old_path, new_path, createdDirs?, overwrote?}`. */
export const fileMove = defineVerb({
  name: 'file_move',
  vocabulary: 'clada',
  description: 'Move or rename a file, creating missing parent directories. An existing file at the new path is '
    + 'replaced, and the result says so. A directory can be moved to a path where nothing is.',
  category: 'file',
  version: '1.0.0',
  type: 'write',
  accessibility: ['llm'],
  constraints: [
    'A symbolic link is moved or replaced itself, not what it points to.',
    'A directory that holds what the policy denies stays where it is.',
  ],
  primary: 'old_path',
  args: v.strictObject({
    old_path: absolutePath('File or directory to move.'),
    new_path: absolutePath('Its new path, name included.'),
  }),
  result: v.strictObject({
    old_path: v.string(),
    new_path: v.string(),
    createdDirs: v.optional(v.array(v.string())),
    overwrote: v.optional(v.boolean()),
  }),
  examples: [{ old_path: '/workspace/notes/today.md', new_path: '/workspace/archive/monday.md' }],
  handler({ old_path, new_path }, context) {
    const { files, gate } = context
    const from = approvePath(gate, 'file_move', old_path, 'remove')
    const to = approvePath(gate, 'file_move', new_path, 'remove')
    const source = files.lstat(from)
    if (source === undefined) throw missingPath('file_move', old_path, from, context)
    if (from === to) return { old_path, new_path }
    const replaced = files.lstat(to)
    checkDestination(source, replaced, { old_path, new_path, inside: to.startsWith(from + sep) })
    if (source.kind === 'directory') checkMovable('file_move', old_path, from, context)
    let createdDirs
    try {
      createdDirs = withParents(files, new_path, to, () => files.move(from, to)).createdDirs
    } catch (error) {
      if (!isNodeError(error) || error.code !== 'EACCES' || error.path === undefined || error.path === from) throw error
      throw pathError('EACCES', 'file_move', new_path, 'The directory of new_path may not be changed: move it elsewhere.')
    }
    return {
      old_path,
      new_path,
      ...(createdDirs.length > 0 && { createdDirs }),
      ...(replaced && { overwrote: true }),
    }
  },
})

function checkDestination(
  source: FileStat, replaced: FileStat | undefined, paths: { old_path: string; new_path: string; inside: boolean },
): void {
  const { old_path, new_path, inside } = paths
  const isDirectory = source.kind === 'directory'
  if (isDirectory && inside) {
    throw new HermesError('INVALID_PARAMETER', `file_move: a directory cannot be moved into itself: '${new_path}'`, {
      hint: `Write a new_path that is not below '${old_path}'.`,
    })
  }
  if (replaced === undefined) {
    if (isDirectory || !new_path.endsWith('/')) return
    const hint = `Write the name of the file too: new_path = "${pathInside(new_path, old_path)}".`
    throw pathError('ENOENT', 'file_move', new_path, hint)
  }
  if (replaced.kind === 'directory' && !isDirectory) {
    const hint = `It is a directory. To move the file into it write new_path = "${pathInside(new_path, old_path)}".`
    throw pathError('EISDIR', 'file_move', new_path, hint)
  }
  if (isDirectory) {
    throw pathError('EEXIST', 'file_move', new_path, 'A directory replaces nothing. Write a path where nothing is yet.')
  }
}

function pathInside(directory: string, path: string): string {
  return join(directory, basename(path))
}
