import { lstatSync, readdirSync, readFileSync, rmdirSync, unlinkSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { quoted } from './git-wrappers.js'
import { PROGRAM_NAMES } from '../kept-paths.js'
import { isLeftBehind, make, own } from '../placeholders/index.js'

/**
 * What a hook could make in git's own directory so that whoever runs git next, hermes or the user, goes by it; and what
 * stands there meanwhile, so that the sandbox can show it read-only. Git makes nothing of these.
 */
const STAND_INS: readonly (readonly [name: string, content: string | undefined])[] = [
  ['commondir', '.\n'], ['config.worktree', ''], ['gitdir', ''], ['objects/info/alternates', ''],
  ['hooks', undefined], ['info', undefined], ['modules', undefined], ['worktrees', undefined],
]

/** @returns what to call once git has ended: removes what was made */
export function placeStandIns(repositories: readonly string[]): () => void {
  const made = repositories.flatMap(repository => STAND_INS.flatMap(([name, content]) => {
    const path = join(repository, name)
    return stand(path, content) ? [path] : []
  }))
  return () => made.forEach(remove)
}

/**
 * A link that a hook puts in git's own directory leads git, which no sandbox holds, to write elsewhere: messages,
 * reflogs, refs. Nobody could tell a user's own from it.
 *
 * @throws HermesError `POLICY_DENIED` where there is one already
 */
export function requireNoLinks(repositories: readonly string[]): void {
  const [link] = linksIn(repositories)
  if (link === undefined) return
  throw new HermesError('POLICY_DENIED', `git: ${link} is a link: by it hooks could make git write elsewhere`, {
    hint: 'Ask the user to replace the link by what it leads to, or to run without a sandbox (--sandbox none).',
  })
}

/** To be called when git has ended, also where its hooks were killed. */
export function removeLinks(repositories: readonly string[]): void {
  linksIn(repositories).forEach(remove)
}

/**
 * What hooks of a hermes that was killed left in git's own directories.
 *
 * @param repositories of one work tree, canonical
 */
export function removeHookLeftovers(repositories: readonly string[]): void {
  const left = repositories.flatMap(repository => STAND_INS.flatMap(([name, content]) => {
    const path = join(repository, name)
    return isStandIn(path, content) ? [path] : []
  }))
  // Without these no hook was at work, and links are the user's.
  if (left.length > 0) removeLinks(repositories)
  left.forEach(remove)
}

/**
 * Lines of a shell that run another line and then take away what links it put in git's own directories: git goes on as
 * soon as the hook has ended. Its exit code is that of the line, or 1 where there was a link.
 */
export function withoutLinks(line: string, repositories: readonly string[]): string {
  // As `find` matches a path that has no wildcards.
  const pattern = (path: string): string => path.replaceAll(/[\\*?[]/g, String.raw`\$&`)
  const kept = repositories.flatMap(path => PROGRAM_NAMES.map(name => `-path ${quoted(pattern(join(path, name)))}`))
  const find = `find ${repositories.map(quoted).join(' ')} \\( ${kept.join(' -o ')} \\) -prune -o -type l -print `
    + '-exec rm -f {} +'
  return [
    line, 'code=$?', `links=$(${find}) || code=1`,
    `if [ -n "$links" ]; then echo "hermes: a hook of git put links into git's own directory: $links" >&2; code=1; fi`,
    'exit $code',
  ].join('\n')
}

function linksIn(repositories: readonly string[]): string[] {
  const kept = new Set(repositories.flatMap(repository => PROGRAM_NAMES.map(name => join(repository, name))))
  const hooks: string[] = []
  const queue = [...repositories]
  for (const directory of queue) {
    for (const entry of orNothing(() => readdirSync(directory, { withFileTypes: true }), [])) {
      const path = join(directory, entry.name)
      if (kept.has(path)) continue
      if (entry.isSymbolicLink()) hooks.push(path)
      else if (entry.isDirectory()) queue.push(path)
    }
  }
  return hooks
}

/** @returns whether it is to be removed afterwards */
function stand(path: string, content: string | undefined): boolean {
  const isMade = make({ path, kind: content === undefined ? 'directory' : 'file' }, content)
  if (!isMade && !isStandIn(path, content)) return false
  own(path, process.pid)
  return true
}

/** Whether a process that is gone made it. */
function isStandIn(path: string, content: string | undefined): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats !== undefined && isLeftBehind(stats) && isUnchanged(path, stats, content)
}

function isUnchanged(path: string, stats: Stats, content: string | undefined): boolean {
  if (content === undefined) return stats.isDirectory() && readdirSync(path).length === 0
  return stats.isFile() && stats.size === content.length && readFileSync(path, 'utf8') === content
}

function remove(path: string): void {
  // Someone may have put something there, or removed it.
  orNothing(() => lstatSync(path).isDirectory() ? rmdirSync(path) : unlinkSync(path), undefined)
}
