import { settingName } from '../../../0-contracts/src/index.js'

/** How paths of format `absolute_path` are checked in one run. */
export interface PathRules {
  /** Accept relative paths, which start at the root. */
  relativePaths: boolean
  /** Shown in hints. */
  root: string
  /** Absolute prefixes that stand for the root; the first is used in hints. */
  rootAliases: readonly string[]
}

/** Whether a path is absolute: `/a`, `C:\a` or `\\server\share`. */
export function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\\|\\\\)/.test(path)
}

/** The hint for a path that is not absolute. */
export function absoluteHint(path: string, rules: PathRules): string {
  const forms = absoluteForms(path, rules)
  if (forms.length === 0) return 'Write the absolute path itself: neither ~ nor file: is expanded.'
  return `Write ${forms.join(' or ')}, or run with ${settingName('relativePaths')}.`
}

/** Absolute forms of a relative path: with the alias and with the root; none for a home directory or a URL. */
export function absoluteForms(path: string, { root, rootAliases }: PathRules): string[] {
  if (/^(?:~(?:\/|$)|file:)/.test(path)) return []
  const rest = path.replace(/^(?:\.\/)+/, '')
  const join = (prefix: string): string => `${prefix.replace(/\/+$/, '')}/${rest}`
  const forms = rootAliases[0] === undefined ? [join(root)] : [join(rootAliases[0]), join(root)]
  const whole = `/${rest}`
  // `workspace/a` may be relative, or lack its leading slash.
  const isWhole = [root, ...rootAliases].some((one) => one !== '/' && whole.startsWith(`${one.replace(/\/+$/, '')}/`))
  return isWhole ? [whole, ...forms] : forms
}

/** The only absolute path that a relative one may mean; `undefined` where it is ambiguous. */
export function absoluteForm(path: string, rules: PathRules): string | undefined {
  const [first = ''] = path.replace(/^(?:\.\/)+/, '').split('/')
  const isNamed = [rules.root, ...rules.rootAliases].some((alias) => first === alias.split(/[/\\]/).findLast(Boolean))
  // Surrounding blanks, a variable, a drive.
  if (isNamed || path.trim() !== path || /^(?:[$%]|[A-Za-z]:)/.test(path)) return undefined
  return absoluteForms(path, rules)[0]
}

/** The path without `..`; empty where it leaves its starting directory. */
export function withoutParents(path: string): string {
  const separator = path.includes('/') ? '/' : '\\'
  const names: string[] = []
  for (const name of path.split(/[/\\]/)) {
    if (name !== '..') names.push(name)
    else if (['', '.', undefined].includes(names.pop())) return ''
  }
  return names.join(separator)
}
