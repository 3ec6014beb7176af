import { isAbsolute, join, relative, sep } from 'node:path'
import { HermesError } from '../../../../0-contracts/src/index.js'
import { compilePattern } from '../../../../2-files/src/index.js'

interface Selection {
  /** With the dot. */
  extensions: readonly string[]
  /** Patterns of `tsconfig.json`, relative to the start. */
  includes: readonly string[]
  excludes: readonly string[]
}

type Test = (path: string) => boolean

/**
 * Which of the files a `tsconfig.json` includes.
 *
 * @param files absolute
 * @param start directory the patterns start from
 */
export function includedFiles(files: readonly string[], start: string, selection: Selection): string[] {
  const includes = selection.includes.map((pattern) => compile(pattern, start))
  const excludes = selection.excludes.map((pattern) => compile(pattern, start))
  return files.filter((file) => {
    const path = relative(start, file).split(sep).join('/')
    return selection.extensions.some((extension) => file.endsWith(extension))
      && includes.some((test) => test(path)) && !excludes.some((test) => test(path))
  })
}

/** A directory stands for all that is in it. */
function compile(pattern: string, start: string): Test {
  const written = isAbsolute(pattern) ? relative(start, pattern) : join(pattern)
  const plain = written.replace(/\/$/, '')
  if (plain === '.' || plain === '') return () => true
  try {
    const itself = compilePattern('get_definition', 'include', plain, { dot: false })
    const inside = compilePattern('get_definition', 'include', `${plain}/**`, { dot: false })
    return (path) => itself.matches(path) || inside.matches(path)
  } catch (error) {
    // What it would match is not below the project.
    if (error instanceof HermesError) return () => false
    throw error
  }
}
