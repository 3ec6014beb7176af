import { shortPath } from './report-style.js'

const PARAMETERS = ['path', 'old_path', 'file_path']
const LONGEST = 1000

/** The file, or directory, that a call is about, for lists by file. @param roots paths below them are shown relative */
export function fileOfCall(params: Record<string, unknown>, roots: readonly string[] = []): string | undefined {
  const path = PARAMETERS.map((name) => (Object.hasOwn(params, name) ? params[name] : undefined))
    .find((value) => typeof value === 'string')
  return typeof path === 'string' ? shortPath(path, roots).slice(0, LONGEST) : undefined
}
