import { isAbsolute, relative, resolve } from 'node:path'
import type { PathAccess, PathPolicy } from '../../../0-contracts/src/index.js'
import { canonicalOf, isInside } from '../../../2-files/src/index.js'
import { compileGlob, slashed, type ComparedPath, type Glob } from './glob.js'
import type { PolicySource } from './source.js'

/** Returns the reason of a denial, for "Path is denied: p (…)", or nothing. */
type Rule = (path: string, below: string, access: PathAccess, isDirectory: () => boolean) => string | undefined

const CHANGES: ReadonlySet<PathAccess> = new Set(['write', 'remove'])

/**
 * The rules for paths of all sources, which all apply; `undefined` where there are none.
 *
 * @param home the user's home directory, for `~` in paths
 */
export function pathPolicy(sources: readonly PolicySource[], home: string): PathPolicy | undefined {
  const rules = sources.flatMap((source) => rulesOf(source, home))
  const opened = sources.flatMap((source) => (source.values.readable ?? []).map((written) => ({
    glob: compileGlob(written, { ignoreCase: false, home }), source,
  })))
  if (rules.length === 0 && opened.length === 0) return undefined
  return {
    denies(path, below, access, isDirectory) {
      for (const rule of rules) {
        const reason = rule(path, below, access, isDirectory)
        if (reason !== undefined) return reason
      }
      return undefined
    },
    opens: (path, below) => opened.some(({ glob, source }) => glob.covers(compared(path, below, source))),
  }
}

function rulesOf(source: PolicySource, home: string): Rule[] {
  const { roots, allow, deny = [], read_only: readOnly = [] } = source.values
  return [
    ...(roots ? [insideOf(roots.map((written) => directoryOf(written, source, home)), source.place('roots'))] : []),
    ...(allow ? [oneOf(allow.map((written) => compileGlob(written, { ignoreCase: false, home })), source)] : []),
    ...deny.map((written, i) => none(written, source, source.place('deny', i), home)),
    ...readOnly.map((written, i) =>
      changeOf(none(written, source, `read_only, ${source.place('read_only', i)}`, home))),
  ]
}

/** The directory with links resolved, to compare with the gate's paths. */
export function directoryOf(written: string, { directory }: PolicySource, home: string): string {
  const inHome = /^~(?=[\\/]|$)/.test(written) ? home + written.slice(1) : written
  return canonicalOf(isAbsolute(inHome) ? resolve(inHome) : resolve(directory ?? home, inHome))
}

function insideOf(directories: readonly string[], place: string): Rule {
  return (path, _, access, isDirectory) => {
    if (directories.some((directory) => isInside(directory, path))) return undefined
    const isAbove = !CHANGES.has(access) && directories.some((directory) => isInside(path, directory))
    return isAbove && isDirectory() ? undefined : `outside of roots, ${place}`
  }
}

function oneOf(globs: readonly Glob[], source: PolicySource): Rule {
  const place = source.place('allow')
  return (path, below, access, isDirectory) => {
    const forms = compared(path, below, source)
    if (globs.some((glob) => glob.covers(forms))) return undefined
    // Otherwise no search could reach what is allowed.
    const isAbove = !CHANGES.has(access) && globs.some((glob) => glob.leadsTo(forms))
    return isAbove && isDirectory() ? undefined : `no pattern of allow matches, ${place}`
  }
}

function none(written: string, source: PolicySource, place: string, home: string): Rule {
  const glob = compileGlob(written, { ignoreCase: true, home })
  return (path, below) => (glob.covers(compared(path, below, source)) ? place : undefined)
}

function changeOf(rule: Rule): Rule {
  return (path, below, access, isDirectory) => (
    CHANGES.has(access) ? rule(path, below, access, isDirectory) : undefined
  )
}

/** A project's patterns are relative to its file, the user's to each root. */
export function compared(path: string, below: string, { directory }: PolicySource): ComparedPath {
  const own = directory !== undefined && isInside(directory, path) ? relative(directory, path) : below
  return { absolute: slashed(path).replace(/^\//, ''), below: slashed(own) }
}
