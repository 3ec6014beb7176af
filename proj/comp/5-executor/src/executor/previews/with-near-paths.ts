import { basename, dirname, extname, join, relative } from 'node:path'
import { HermesError, type ApprovedPath, type VerbContext } from '../../../../0-contracts/src/index.js'
import { nearest } from '../../../../0-text/src/index.js'
import { approveIfAllowed, MissingPath, writtenForm } from '../../../../2-files/src/index.js'

const MOST_NAMES = 3

/** Adds to the hint of a missing-path error the files elsewhere with the same or a similar name. */
export async function withNearPaths(error: unknown, context: VerbContext): Promise<unknown> {
  if (!(error instanceof MissingPath) || error.isNamed) return error
  const { code, message, written, target, gap } = error
  const top = topOf(target, context)
  // Walking loads the code that reads ignore files, which most runs do without.
  const { pathsBelow } = await import('./paths-below.js')
  const near = nearPaths(relative(top, target), await pathsBelow(top, context))
  if (near.length === 0) return error
  const start = writtenForm(written, target, top)
  const names = near.map((path) => `'${join(start, path)}'`)
  return new HermesError(code, message, { hint: `${gap}Did you mean ${names.join(' or ')}?`, cause: error })
}

/** The highest directory above a path that may be read: the root, or an allowed directory. */
function topOf(target: ApprovedPath, { gate }: VerbContext): ApprovedPath {
  let top = target
  for (;;) {
    const parent = approveIfAllowed(gate, dirname(top), 'read')
    if (parent === undefined || parent === top) return top
    top = parent
  }
}

/** The paths that share most of their directories with the wanted one; those in the same directory first. */
function nearPaths(wanted: string, paths: readonly string[]): string[] {
  const stem = stemOf(wanted)
  // Short names would resemble one another by their extensions alone, so compare without first.
  const names = new Set(paths.map((path) => basename(path)).filter((name) => nearest(stem, [stemOf(name)])))
  const name = nearest(basename(wanted), names)
  const steps = wanted.split('/')
  return paths
    .filter((path) => basename(path) === name && path !== wanted)
    .map((path) => {
      const others = path.split('/')
      const below = alike(steps.slice(0, -1).toReversed(), others.slice(0, -1).toReversed())
      return { path, below, above: alike(steps, others), depth: others.length }
    })
    .sort((a, b) => b.below - a.below || b.above - a.above || a.depth - b.depth)
    .slice(0, MOST_NAMES)
    .map(({ path }) => path)
}

function stemOf(path: string): string {
  return basename(path, extname(path))
}

/** Length of the common prefix of two lists. */
function alike(names: readonly string[], others: readonly string[]): number {
  const at = names.findIndex((name, index) => name !== others[index])
  return at === -1 ? names.length : at
}
