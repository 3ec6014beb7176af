/** How paths of format `absolute_path` are judged in one run. */
export interface PathRules {
  /** Accept relative ones; they start at the root. */
  relativePaths: boolean
  /** Shown in hints. */
  root: string
  /** Absolute prefixes that stand for the root; the first is shown in hints. */
  rootAliases: readonly string[]
}

/** `/a`, `C:\a` or `\\server\share` (seed 002). */
export function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\\|\\\\)/.test(path)
}

/** What to write instead of a path that is not absolute. */
export function absoluteHint(path: string, { root, rootAliases }: PathRules): string {
  if (/^(?:~(?:\/|$)|file:)/.test(path)) return 'Write the absolute path itself: neither ~ nor file: is expanded.'
  const rest = path.replace(/^(?:\.\/)+/, '')
  const join = (prefix: string): string => `${prefix.replace(/\/+$/, '')}/${rest}`
  const forms = rootAliases[0] === undefined ? [join(root)] : [join(rootAliases[0]), join(root)]
  return `Write ${forms.join(' or ')}, or run with --relative-paths.`
}

/** The same path without `..`; empty where it leads out of where it starts. */
export function withoutParents(path: string): string {
  const separator = path.includes('/') ? '/' : '\\'
  const names: string[] = []
  for (const name of path.split(/[/\\]/)) {
    if (name !== '..') names.push(name)
    else if (['', '.', undefined].includes(names.pop())) return ''
  }
  return names.join(separator)
}
