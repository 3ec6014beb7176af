import { HermesError, type ApprovedPath } from '../../../0-contracts/src/index.js'
import type { DiskFiles } from '../../../2-files/src/index.js'
import type { FileState } from './operations.js'
import { SavedContent, type Content } from './saved-content.js'

/**
 * Changes what is at a path from one state to another. A directory goes only when it is empty.
 *
 * @param content of the file that is to be there
 * @throws Node's errors; HermesError for what is no file, link or directory: a device or a pipe cannot be made again
 */
export function bringTo(
  files: DiskFiles, path: ApprovedPath, from: FileState, to: FileState, content: Content | undefined,
): void {
  if (to.kind === 'other') {
    throw new HermesError('INVALID_OPTION', 'neither file, link nor directory: it cannot be made again', {
      hint: 'Make it as it was, e.g. with mkfifo.',
    })
  }
  if (from.kind === 'directory' && to.kind !== 'directory') files.removeDirectory(path)
  else if (from.kind !== 'absent' && (to.kind === 'absent' || isOtherKind(from, to))) files.remove(path)
  if (to.kind === 'link') files.makeLink(path, Buffer.from(to.target, 'base64'))
  if (to.kind === 'directory' && from.kind !== 'directory') files.makeDirectories(path)
  if (to.kind === 'file') {
    if (content instanceof SavedContent) files.fill(path, (fd) => content.fill(fd))
    else files.write(path, content ?? new Uint8Array())
  }
  if ((to.kind === 'file' || to.kind === 'directory') && to.mode !== undefined) files.setMode(path, to.mode)
}

/** A link would be written through, as would a pipe, and a file is in the way of a directory. */
function isOtherKind(from: FileState, to: FileState): boolean {
  return (['link', 'other'].includes(from.kind) && to.kind === 'file')
    || (to.kind === 'directory' && from.kind !== 'directory')
}
