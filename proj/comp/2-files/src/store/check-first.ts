import type { ApprovedPath, FileStore, OverwriteCheck } from '../../../0-contracts/src/index.js'

/** Lets a check look at what a store has at a path. @throws all that the check throws */
export function checkFirst(
  files: Pick<FileStore, 'stat' | 'peekBytes'>, path: ApprovedPath, check: OverwriteCheck | undefined,
): void {
  if (!check) return
  const stat = files.stat(path)
  check(stat?.kind === 'file' ? stat.size : 0, () => files.peekBytes(path, Infinity))
}
