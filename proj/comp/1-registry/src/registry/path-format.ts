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
export function absoluteHint(path: string, rules: PathRules): string {
  const forms = absoluteForms(path, rules)
  if (forms.length === 0) return 'Write the absolute path itself: neither ~ nor file: is expanded.'
  return `Write ${forms.join(' or ')}, or run with --relative-paths.`
}

/** A relative path from the root: under the alias that stands for it, and as it is; none for a home or a URL. */
export function absoluteForms(path: string, { root, rootAliases }: PathRules): string[] {
  if (/^(?:~(?:\/|$)|file:)/.test(path)) return []
  const rest = path.replace(/^(?:\.\/)+/, '')
  const join = (prefix: string): string => `${prefix.replace(/\/+$/, '')}/${rest}`
  const forms = rootAliases[0] === undefined ? [join(root)] : [join(rootAliases[0]), join(root)]
  const whole = `/${rest}`
  // `workspace/a` may be one below the root, or lack its first sign.
  return [root, ...rootAliases].some((one) => isBelow(whole, one)) ? [whole, ...forms] : forms
}

function isBelow(path: string, directory: string): boolean {
  return path.startsWith(`${directory.replace(/\/+$/, '')}/`) && directory !== '/'
}

/** What a relative path means from the root; `undefined` where it may mean something else too. */
export function absoluteForm(path: string, rules: PathRules): string | undefined {
  const [first = ''] = path.replace(/^(?:\.\/)+/, '').split('/')
  const isNamed = [rules.root, ...rules.rootAliases].some((one) => first === one.split(/[/\\]/).findLast(Boolean))
  // Blanks around it, a variable, a drive.
  if (isNamed || path.trim() !== path || /^(?:[$%]|[A-Za-z]:)/.test(path)) return undefined
  return absoluteForms(path, rules)[0]
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
