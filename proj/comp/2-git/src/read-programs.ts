import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../../0-contracts/src/index.js'
import { upwards } from '../../2-files/src/index.js'
import { gitPlaces } from './git-places.js'
import { nulFields } from './nul-fields.js'
import { namesProgram, repositoryPrograms, type RepositoryPrograms } from './program-settings.js'
import { findsCode, pointsInto } from './user-programs.js'

const NONE: RepositoryPrograms = { replaced: [], filters: [] }
/** Largest configuration to scan; for larger ones git is asked. */
const MOST_BYTES = 1024 * 1024
/** Names of settings, which git's format has without quotes or escapes. */
const NAME = /(?:^|\])[ \t]*([a-z][a-z0-9-]*)[ \t]*(?:[=#;\n]|$)/gim

const FILTERS = new Set(['clean', 'smudge', 'process'])
/** System-wide configuration files of common builds of git. */
const OF_SYSTEM = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig']

/** Cache by directory: the programs, and the state of the files they were read from. */
const known = new Map<string, { state: string; programs: RepositoryPrograms }>()

/**
 * The programs that the configuration of a repository makes git run. Asks git only if the files may name any, and again
 * when one of them has changed.
 *
 * @param list runs `git config` with these arguments and returns its output
 */
export async function readPrograms(
  cwd: string, list: (args: readonly string[]) => Promise<Buffer>,
): Promise<RepositoryPrograms> {
  const { repositories, configurations } = gitPlaces(cwd)
  const top = upwards(cwd).find(here => existsSync(join(here, '.git')))
  if (top === undefined) return NONE
  const own = repositories.flatMap(repository => ['config', 'config.worktree'].map(name => join(repository, name)))
  const others = [...configurations.filter(file => !own.includes(file)), ...OF_SYSTEM]
  if (repositories.length > 0 && !own.some(mayName) && !others.some(file => mayBeUnsafe(top, file))) return NONE
  const state = [...own, ...others, ...repositories.map(repository => join(repository, 'HEAD'))].map(file => {
    const stat = orNothing(() => statSync(file, { bigint: true }), undefined)
    return `${file} ${stat?.ino} ${stat?.size} ${stat?.mtimeNs} ${stat?.ctimeNs}`
  }).join('\n')
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

/** Whether a configuration may name a program or include other files; true where it cannot be read. */
function mayName(file: string): boolean {
  const text = textOf(file)
  if (text === '') return false
  return text === undefined || /\[\s*(?:include|lfs|pager)/i.test(text) || namesIn(text).some(mayEnd)
}

/** Whether the user's configuration may have programs that must run in a sandbox. */
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

/** Judges a setting by its last word only. */
function mayEnd(name: string): boolean {
  return namesProgram(`x.${name}`) || ['path', 'update', 'allow', 'args'].includes(name)
}

/** `''` for a missing file, `undefined` for one that cannot be read. */
function textOf(file: string): string | undefined {
  const stat = orNothing(() => statSync(file), undefined)
  if (stat === undefined) return ''
  return stat.isFile() && stat.size <= MOST_BYTES ? orNothing(() => readFileSync(file, 'utf8'), undefined) : undefined
}
