import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CommitPlace } from '../../0-contracts/src/index.js'
import { isInside } from '../../2-files/src/index.js'
import type { Mount } from './mounts.js'

/** What in git's own directory names programs, or other repositories and their programs. */
export const PROGRAM_NAMES = [
  'commondir', 'config', 'config.worktree', 'gitdir', 'hooks', 'info', 'modules', 'worktrees',
] as const

/** What a hook of a commit finds besides: the whole work tree, and git's own files to work with. */
export function commitMounts({ top, repositories }: CommitPlace, writable: readonly string[]): Mount[] {
  const kept = repositories.flatMap(directory => PROGRAM_NAMES.map(name => join(directory, name))).filter(existsSync)
  return [
    ...(writable.some(directory => isInside(directory, top)) ? [] : [{ kind: 'read', at: top, from: top } as const]),
    ...repositories.map((path): Mount => ({ kind: 'write', at: path, from: path })),
    ...kept.filter(path => !repositories.includes(path)).map((path): Mount => ({ kind: 'read', at: path, from: path })),
  ]
}
