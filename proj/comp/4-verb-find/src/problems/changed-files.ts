import type { VerbContext } from '../../../0-contracts/src/index.js'
import type { ChangedFile, ChangedFileProblems } from './changed-file.js'

const SCRIPT = /\.[cm]?[jt]sx?$/

/**
 * The errors in changed files that were not in them before: as the language server says that the user has configured,
 * else, in TypeScript and JavaScript, as the language service of TypeScript says.
 *
 * @param limitMs for the language service; a server has its own time for each request
 */
export async function changedFileProblems(
  files: readonly ChangedFile[], context: VerbContext, limitMs: number,
): Promise<ChangedFileProblems> {
  const result: ChangedFileProblems = { problems: new Map(), unknown: [] }
  let left = files
  if (context.policy.languageServers) {
    const { newServerProblems } = await import('./new-server-problems.js')
    const { served, problems, unknown } = await newServerProblems(files, context)
    result.unknown.push(...unknown)
    for (const [path, all] of problems) result.problems.set(path, all)
    left = files.filter(({ path }) => !served.has(path))
  }
  const scripts = left.filter(({ path }) => SCRIPT.test(path))
  if (scripts.length === 0) return result
  const { newProblems } = await import('../symbols/typescript/new-problems.js')
  const { unknown, problems } = await newProblems(scripts, context, limitMs)
  for (const [path, all] of problems) result.problems.set(path, all)
  if (unknown !== undefined && !context.signal.aborted) {
    result.unknown.push(`TypeScript ${unknown}: new problems of the changed files are not known`)
  }
  return result
}
