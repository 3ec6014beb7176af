import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orNothing } from '../../0-contracts/src/index.js'
import { gitPlaces } from './git-places.js'
import { nulFields } from './nul-fields.js'
import { namesProgram, repositoryPrograms, type RepositoryPrograms } from './program-settings.js'
import { findsCode, pointsInto } from './user-programs.js'

const NONE: RepositoryPrograms = { replaced: [], filters: [] }
/** Larger files are left to git. */
const MOST_BYTES = 1024 * 1024
/** The names of settings are written as they are, without quotes or escapes. */
const NAME = /(?:^|\])[ \t]*([a-z][a-z0-9-]*)[ \t]*(?:[=#;\n]|$)/gim

const FILTERS = new Set(['clean', 'smudge', 'process'])
/** Where git was built to look for the settings of all users. */
const OF_SYSTEM = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig']

/** By the directory: what was found, and what it was read from. */
const known = new Map<string, { state: string; programs: RepositoryPrograms }>()

/**
 * The programs that the configuration of a repository has git run. Git is asked only where the files look as if there
 * were any, and again once one of them has changed.
 *
 * @param list runs `git config` with these arguments, and gives what it printed
 */
export async function readPrograms(
  cwd: string, list: (args: readonly string[]) => Promise<Buffer>,
): Promise<RepositoryPrograms> {
  const { repositories, configurations } = gitPlaces(cwd)
  const top = topOf(cwd)
  if (top === undefined) return NONE
  const own = repositories.flatMap(one => ['config', 'config.worktree'].map(name => join(one, name)))
  const others = [...configurations.filter(file => !own.includes(file)), ...OF_SYSTEM]
  if (repositories.length > 0 && !own.some(mayName) && !others.some(file => mayBeUnsafe(top, file))) return NONE
  const state = stateOf([...own, ...others, ...repositories.map(one => join(one, 'HEAD'))])
  const before = known.get(cwd)
  if (before?.state === state) return before.programs
  const fields = nulFields(await list(['config', '--null', '--show-scope', '--list']))
  const settings = fields.flatMap((scope, at) => {
    if (at % 2 === 1) return []
    const [, key = '', value = ''] = /^([^\n]*)(?:\n(.*))?$/s.exec(fields[at + 1] ?? '') ?? []
    return [{ scope, key, value }]
  })
  const programs = repositoryPrograms(settings, top)
  known.set(cwd, { state, programs })
  return programs
}

/** Whether a configuration of the repository names a program, or includes others; of what cannot be read, yes. */
function mayName(file: string): boolean {
  const text = textOf(file)
  if (text === '') return false
  return text === undefined || /\[\s*(?:include|lfs|pager)/i.test(text) || namesIn(text).some(mayEnd)
}

/** Whether programs of the user may be such that only a sandbox may run them. */
function mayBeUnsafe(top: string, file: string): boolean {
  const text = textOf(file)
  if (text === undefined) return true
  const values = [...text.matchAll(/=[ \t]*(.+)$/gm)].map(([, value = '']) => value)
  const names = namesIn(text)
  return names.some(name => FILTERS.has(name))
    || (names.some(mayEnd) && values.some(value => pointsInto(top, value) || findsCode(value.replaceAll('\\', ''))))
}

function namesIn(text: string): string[] {
  return [...text.matchAll(NAME)].map(([, name = '']) => name.toLowerCase())
}

/** By its last word alone, whatever the section is. */
function mayEnd(name: string): boolean {
  return namesProgram(`x.${name}`) || ['path', 'update', 'allow', 'args'].includes(name)
}

/** `''` for what is not there, `undefined` for what cannot be read. */
function textOf(file: string): string | undefined {
  const stat = orNothing(() => statSync(file), undefined)
  if (stat === undefined) return ''
  return stat.isFile() && stat.size <= MOST_BYTES ? orNothing(() => readFileSync(file, 'utf8'), undefined) : undefined
}

function stateOf(files: readonly string[]): string {
  return files.map(file => {
    const stat = orNothing(() => statSync(file, { bigint: true }), undefined)
    return `${file} ${stat?.ino} ${stat?.size} ${stat?.mtimeNs} ${stat?.ctimeNs}`
  }).join('\n')
}

/** The nearest directory upwards with something called `.git`. */
function topOf(directory: string): string | undefined {
  for (let here = directory; ; here = dirname(here)) {
    if (existsSync(join(here, '.git'))) return here
    if (dirname(here) === here) return undefined
  }
}
