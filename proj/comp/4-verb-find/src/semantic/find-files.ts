import { basename, join } from 'node:path'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { checkSignal, walk } from '../../../2-files/src/index.js'
import type { FoundFile } from './refresh.js'

export interface Bounds {
  /** Files searched at most. */
  files: number
  /** Bytes of all of them at most. */
  bytes: number
  /** Bytes of one; larger ones are rarely written by hand. */
  fileBytes: number
}

const BOUNDS: Bounds = { files: 20_000, bytes: 64 * 1024 * 1024, fileBytes: 512 * 1024 }

/** Written by programs: they would drown what people wrote. */
const GENERATED = /(?:^|[-.])lock(?:\.(?:json|ya?ml))?$|\.min\.(?:js|css)$|\.(?:map|svg|snap)$|^go\.sum$/i

/** By its name, a file that someone wrote. */
function isWritten(name: string): boolean {
  return !GENERATED.test(name)
}

/**
 * The files below a directory that are worth searching, in order of their paths.
 *
 * @param shown the directory as the caller wrote it; `''` for the root
 * @returns `isCut` where there are more than the bounds allow
 */
export async function findFiles(
  start: ApprovedPath, shown: string, context: VerbContext, bounds = BOUNDS,
): Promise<{ files: FoundFile[]; isCut: boolean }> {
  const files: FoundFile[] = []
  let bytes = 0
  // A directory that cannot be listed holds nothing that could be found.
  const walked = walk(start, context, {
    gitignore: true, dependencies: false, hidden: false, stats: isWritten, onUnreadable: () => undefined,
  })
  for await (const { path, relative, stat: known } of walked) {
    if (!isWritten(basename(relative))) continue
    const stat = known ?? context.files.stat(path)
    if (stat === undefined || stat.size === 0 || stat.size > Math.min(bounds.fileBytes, context.limits.maxFileBytes)) {
      continue
    }
    bytes += stat.size
    if (files.length === bounds.files || bytes > bounds.bytes) return { files, isCut: true }
    files.push({ path, shown: join(shown, relative), size: stat.size, mtimeMs: stat.mtimeMs })
    checkSignal(context.signal)
  }
  return { files, isCut: false }
}
