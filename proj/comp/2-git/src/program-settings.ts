import { findsCode, pointsInto, runsOutside } from './user-programs.js'

/** A setting as git lists it. */
export interface Setting {
  /** `system`, `global`, `local`, `worktree`, `command`. */
  scope: string
  /** First and last part in lower case. */
  key: string
  value: string
}

/** A filter driver, whose programs change the content of committed files. */
export interface Filter {
  /** `filter.NAME`. */
  driver: string
  /** Commands as git would run them; absent where there is none. */
  clean?: string
  smudge?: string
  process?: string
  isRequired: boolean
}

export interface RepositoryPrograms {
  /** Settings that replace the repository's programs by the user's own, or by defaults. */
  replaced: readonly (readonly [key: string, value: string])[]
  /** Filters whose programs may only run in a sandbox. */
  filters: readonly Filter[]
}

/** Settings whose value is a program, by their last word, in any section. */
const PROGRAM = new RegExp(String.raw`\.(?:${[
  'program', 'command', 'cmd', 'helper', 'textconv', 'driver', 'clean', 'smudge', 'process', 'required', 'sshcommand',
  'askpass', 'gitproxy', 'pager', 'editor', 'fsmonitor', 'external', 'difffilter', 'uploadpack', 'receivepack', 'vcs',
  'defaultkeycommand', 'alternaterefscommand', 'packobjectshook', 'tocmd', 'cccmd', 'headercmd', 'smtpserver',
  'sendmailcmd', 'tunnel', 'browser', 'standalonetransferagent', 'customtransfer', 'templatedir',
].join('|')})$`)
/** Settings with programs under other names. */
const PROGRAM_IN = new RegExp(String.raw`^(?:pager\.|lfs\.(?:extension|customtransfer)\.|(?:mergetool|difftool|browser`
  + String.raw`|man)\..*\.path$|submodule\..*\.update$|protocol\.)`)

/** Replacements for removed programs; all others become empty. */
const USUAL: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false', 'core.pager': 'cat', 'core.editor': ':', 'sequence.editor': ':', 'core.sshcommand': 'ssh',
  'core.alternaterefscommand': 'true', 'core.gitproxy': 'none', 'gpg.program': 'gpg', 'gpg.openpgp.program': 'gpg',
  'gpg.x509.program': 'gpgsm', 'gpg.ssh.program': 'ssh-keygen', 'interactive.difffilter': 'cat',
}
const USUAL_LAST: Readonly<Record<string, string>> = {
  textconv: 'cat', driver: 'git merge-file %A %O %B', command: 'true', cmd: 'true', update: 'checkout',
  uploadpack: 'git-upload-pack', receivepack: 'git-receive-pack', allow: 'never',
}
const FILTER_PROGRAM = /^filter\..+\.(?:clean|smudge|process)$/s
const FILTER = /^(filter\..+)\.(clean|smudge|process|required)$/s

/** Whether a setting names a program that git, or a program of git, would run. */
export function namesProgram(key: string): boolean {
  return PROGRAM.test(key) || PROGRAM_IN.test(key)
}

/**
 * Finds settings that must not take effect as they are: programs of the repository's own configuration, and those of
 * the user that lie in the work tree, where a run may have changed them or their modules.
 *
 * @param top directory in which git runs them
 */
export function repositoryPrograms(settings: readonly Setting[], top: string): RepositoryPrograms {
  const programs = settings.filter(({ key }) => namesProgram(key))
  const isOwn = ({ scope }: Setting): boolean => scope === 'local' || scope === 'worktree'
  const isUnsafe = ({ key, value }: Setting): boolean => (
    FILTER_PROGRAM.test(key) ? value !== '' && !runsOutside(top, value) : pointsInto(top, value) || findsCode(value)
  )
  const foreign = programs.filter(program => isOwn(program) || isUnsafe(program))
  const usersOf = (key: string): string[] => (
    programs.filter(program => program.key === key && !foreign.includes(program)).map(({ value }) => value)
  )
  const replaced: (readonly [string, string])[] = []
  const drivers = new Set<string>()
  for (const key of new Set(foreign.map(setting => setting.key))) {
    const [, driver] = FILTER.exec(key) ?? []
    if (driver !== undefined) drivers.add(driver)
    else {
      const users = usersOf(key === 'gpg.openpgp.program' ? 'gpg.program' : key)
      // An empty helper resets those before it.
      const values = [...key.endsWith('.helper') ? [''] : [], ...users]
      const usual = USUAL[key] ?? USUAL_LAST[key.slice(key.lastIndexOf('.') + 1)]
        ?? (key.startsWith('pager.') ? 'false' : '')
      for (const value of values.length > 0 ? values : [usual]) replaced.push([key, value])
    }
  }
  const filters: Filter[] = []
  for (const driver of drivers) {
    const own = ['clean', 'smudge', 'process', 'required'].map(name => `${driver}.${name}`)
    const isUsers = foreign.some(setting => !isOwn(setting) && own.includes(setting.key))
    if (!isUsers && own.some(key => usersOf(key).length > 0 && !key.endsWith('.required'))) {
      // The user's filter of that name counts; the repository's would replace it.
      const given = own.filter(key => programs.some(program => program.key === key))
      for (const key of given) replaced.push([key, usersOf(key).at(-1) ?? (key.endsWith('required') ? 'false' : '')])
      // Removing the repository's process setting would also disable the user's program; require the filter, so that no
      // file is added unfiltered.
      const isLost = given.includes(`${driver}.process`) && usersOf(`${driver}.process`).length === 0
      if (isLost) replaced.push([`${driver}.required`, 'true'])
    } else filters.push(filterOf(driver, programs))
  }
  return { replaced, filters }
}

function filterOf(driver: string, programs: readonly Setting[]): Filter {
  const valueOf = (name: string): string | undefined => (
    programs.findLast(({ key }) => key === `${driver}.${name}`)?.value
  )
  const [clean, smudge, process] = ['clean', 'smudge', 'process'].map(valueOf)
  return {
    driver, ...(clean && { clean }), ...(smudge && { smudge }), ...(process && { process }),
    isRequired: /^(?:true|yes|on|[1-9]\d*|)$/i.test(valueOf('required') ?? 'false'),
  }
}
