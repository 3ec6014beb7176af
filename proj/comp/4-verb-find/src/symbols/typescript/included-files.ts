import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { unlessRefused } from '../../../../0-contracts/src/index.js'
import { compilePattern } from '../../../../2-files/src/index.js'

interface Selection {
  /** With the dot. */
  extensions: readonly string[]
  /** Patterns of `tsconfig.json`, relative to the start. */
  includes: readonly string[]
  excludes: readonly string[]
}

type Test = (file: string) => boolean

/**
 * The files that a `tsconfig.json` includes.
 *
 * @param files absolute
 * @param start directory that the patterns are relative to
 */
export function includedFiles(files: readonly string[], start: string, selection: Selection): string[] {
  const includes = selection.includes.map((pattern) => compile(pattern, start))
  const excludes = selection.excludes.map((pattern) => compile(pattern, start))
  return files.filter((file) => (
    selection.extensions.some((extension) => file.endsWith(extension))
      && includes.some((test) => test(file)) && !excludes.some((test) => test(file))
  ))
}

/** The directory that contains everything a pattern can match, or the file that it names. */
export function startOf(start: string, pattern: string): string {
  const parts = pattern.split('/')
  const first = parts.findIndex((part) => /[*?]/.test(part))
  return resolve(start, (first === -1 ? parts : parts.slice(0, first)).join('/') || '.')
}

/** Compiles a pattern; a directory stands for its content. */
function compile(pattern: string, start: string): Test {
  let written = isAbsolute(pattern) ? relative(start, pattern) : join(pattern)
  let base = start
  for (; written === '..' || written.startsWith(`..${sep}`); written = written.slice(3)) base = join(base, '..')
  const plain = written.split(sep).join('/').replace(/\/$/, '')
  const below = (file: string): string | undefined => {
    const path = relative(base, file).split(sep).join('/')
    return path === '..' || path.startsWith('../') ? undefined : path
  }
  if (plain === '.' || plain === '') return (file) => below(file) !== undefined
  return unlessRefused(() => {
    const itself = compilePattern('get_definition', 'include', plain, { dot: false })
    const inside = compilePattern('get_definition', 'include', `${plain}/**`, { dot: false })
    return (file: string) => {
      const path = below(file)
      return path !== undefined && (itself.matches(path) || inside.matches(path))
    }
    // TypeScript's patterns have no other syntax, so this one matches nothing.
  }, () => false)
}
