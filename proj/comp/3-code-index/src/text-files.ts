import { basename, join } from 'node:path'
import type { VerbContext } from '../../0-contracts/src/index.js'
import { isOddName, shownName } from '../../0-text/src/index.js'
import { languageOf } from '../../2-syntax/src/index.js'
import { filesIn, foundFile, type IndexScope, type Listing } from './found-files.js'

export interface Bounds {
  /** Most files to search. */
  files: number
  /** Most bytes of all files together. */
  bytes: number
  /** Largest file, in bytes; larger ones are rarely hand-written. */
  fileBytes: number
}

const BOUNDS: Bounds = { files: 20_000, bytes: 64 * 1024 * 1024, fileBytes: 512 * 1024 }

/** Generated files, which would drown hand-written ones in results. */
const GENERATED = /(?:^|[-.])lock(?:\.(?:json|ya?ml))?$|\.min\.(?:js|css)$|\.(?:map|svg|snap)$|^go\.sum$/i
const HIDDEN = /(?:^|\/)\./

/** Whether a file is hand-written, by its name. */
function isWritten(name: string): boolean {
  return !GENERATED.test(name)
}

export interface FoundTexts extends Listing {
  /** There are more files than the bounds allow. */
  isCut: boolean
  /** Files whose names are not UTF-8, for display: they have no passages. */
  odd: string[]
}

/** The hand-written files of a scope, code and prose, which have passages. */
export async function findTexts(scope: IndexScope, context: VerbContext, bounds = BOUNDS): Promise<FoundTexts> {
  const texts: FoundTexts = { files: [], present: [], isCut: false, odd: [] }
  const isNamed = scope.kind === 'file'
  const mostBytes = Math.min(bounds.fileBytes, context.limits.maxFileBytes)
  let bytes = 0
  // A directory that cannot be listed counts as empty.
  for await (const { path, relative, stat: known } of filesIn(scope, context, {
    stats: isWritten, onUnreadable: () => undefined,
  })) {
    if (isOddName(relative)) {
      const isWanted = !HIDDEN.test(relative) && isWritten(basename(relative))
      if (isWanted) texts.odd.push(shownName(join(scope.shown, relative)))
      continue
    }
    texts.present.push(path)
    if (texts.isCut || HIDDEN.test(relative) || (!isNamed && !isWritten(basename(relative)))) continue
    const stat = known ?? context.files.stat(path)
    if (stat === undefined || (!isNamed && (stat.size === 0 || stat.size > mostBytes))) continue
    bytes += stat.size
    if (texts.files.length === bounds.files || bytes > bounds.bytes) {
      texts.isCut = true
      continue
    }
    const language = languageOf(path)
    const shown = isNamed ? scope.shown : join(scope.shown, relative)
    texts.files.push({ ...foundFile(path, shown, stat), ...(language !== undefined && { language }) })
  }
  return texts
}
