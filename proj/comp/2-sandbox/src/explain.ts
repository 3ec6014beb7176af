import { settingName, type ReachedHosts, type SandboxAccess, type Walls } from '../../0-contracts/src/index.js'
import type { DeniedHost } from './network/index.js'
import { sudoInSandbox } from './sudo/index.js'

/** A wall of the sandbox. */
interface Wall {
  /** What it means, for models. */
  meaning: string
  /** The same in few words, for people. */
  kept: string
  /** What would let the program pass. */
  opens: readonly SandboxAccess[]
}

/** What a program says that met a wall. */
const SIGNS: readonly (Wall & { says: RegExp })[] = [
  {
    says: any(
      'Network is unreachable', 'Could not resolve host', 'Temporary failure in name resolution',
      'getaddrinfo ENOTFOUND',
      'ENETUNREACH', 'EAI_AGAIN', 'Name or service not known', 'nodename nor servname', 'No route to host', 'gaierror',
      'Failed to open TCP connection',
    ),
    get meaning() {
      return `there is no network in it (only the user can open it: ${settingName('network')})`
    },
    kept: 'the network is closed',
    opens: ['network', 'outside'],
  },
  {
    says: /Read-only file system|EROFS/i,
    meaning: 'only the root and the directories of --allow can be written, and of these not .git, .hermes and policy '
      + 'files: write below the root or in /tmp, and use git_commit for commits',
    kept: 'something is read-only', opens: ['outside'],
  },
  {
    says: /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT/i,
    meaning: '/tmp and the home are in memory and hold 1 GiB each: write large files below the root',
    kept: 'a directory in memory is full', opens: [],
  },
  {
    says: /File size limit exceeded|EFBIG|File too large/i,
    meaning: 'a single file has a limit there: write less, or several files', kept: 'a file is too large', opens: [],
  },
  {
    says: /Resource temporarily unavailable|EAGAIN|can't start new thread|Cannot fork|fork: retry/i,
    meaning: 'the number of processes has a limit there: start fewer at a time', kept: 'too many processes', opens: [],
  },
  {
    says: /Cannot allocate memory|ENOMEM|MemoryError|out of memory|bad_alloc/i,
    meaning: 'memory has a limit there: use less, or work in parts', kept: 'too much memory', opens: [],
  },
]
/** What is read-only in the root, as it stands in messages about that. */
const KEPT_NAME =
  /(?<![\w.-])(\.git|\.hermes|hermes\.yaml|\.husky|\.githooks)(?![\w.-]).*(?:Read-only file system|EROFS)/i
/** Of `.git` that which makes git run programs, and what belongs to submodules: closed whatever is opened. */
const CLOSED_IN_GIT = /\.git\/(?:config|hooks|info|modules)\b.*(?:Read-only file system|EROFS)/i
const NOT_SHOWN = any(
  'No such file or directory', 'ENOENT', 'cannot access', "can't open", 'Permission denied', 'EACCES',
  'Operation not permitted', 'EPERM',
)
/** Most hosts that a hint names. */
const MOST_DENIED = 10
const ORDER: readonly SandboxAccess[] = ['network', 'git', 'outside']

export interface Shown {
  network: boolean
  /** The only hosts that it reaches, and those that it asked for in vain. */
  named?: { hosts: readonly string[]; denied: readonly DeniedHost[] }
  /** Git's own files can be opened, and are not. */
  canOpenGit: () => boolean
  /** Whether a path as the program names it exists outside, and is not shown inside. */
  isHidden: (path: string) => boolean
}

/**
 * What the sandbox has to do with a failure, told by what a program printed last; `undefined` where nothing points to
 * it.
 */
export function explainedBy(output: string, { network, named, canOpenGit, isHidden }: Shown): Walls | undefined {
  const [closed, ...others] = SIGNS
  const signs: Wall[] = (network ? others : SIGNS).filter(({ says }) => says.test(output))
  const kept = KEPT_NAME.exec(output)?.[1]
  const sudo = sudoInSandbox(output)
  const walls = [
    ...(kept === undefined ? [] : [
      keptWall(kept, kept === '.git' && !CLOSED_IN_GIT.test(output) && canOpenGit()),
    ]),
    ...(named ? namedWalls(named.hosts, named.denied, closed?.says.test(output) ?? false) : []),
    ...signs,
    ...(sudo === undefined ? [] : [{ ...sudo, opens: ['outside'] as const }]),
    ...(NOT_SHOWN.test(output) ? hiddenWall(pathsIn(output).find(path => isHidden(path))) : []),
  ]
  if (walls.length === 0) return undefined
  const opens = new Set(walls.flatMap(wall => wall.opens))
  return {
    hint: `The command ran in a sandbox: ${walls.map(({ meaning }) => meaning).join('; ')}.`,
    kept: walls.filter(wall => kept === undefined || wall.kept !== 'something is read-only')
      .map(wall => wall.kept).join('; '),
    opens: ORDER.filter(access => opens.has(access)),
  }
}

/** For the result of a program that reached named hosts: what it asked for in vain, and that in words. */
export function deniedHosts(denied: readonly DeniedHost[]): Omit<ReachedHosts, 'hosts'> {
  return { denied: denied.map(({ host }) => host), ...(denied.length > 0 && { note: `${deniedInWords(denied)}.` }) }
}

function deniedInWords(denied: readonly DeniedHost[]): string {
  const listed = (why: DeniedHost['why']): string | undefined => {
    const hosts = denied.filter(deniedHost => deniedHost.why === why).map(({ host }) => host)
    const more = hosts.length - MOST_DENIED
    if (hosts.length === 0) return undefined
    return `${hosts.slice(0, MOST_DENIED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  }
  const [unnamed, inside] = [listed('unnamed'), listed('private')]
  return [
    ...(unnamed === undefined ? []
      : [`it asked for ${unnamed}, which the user has not named (${settingName('hosts')})`]),
    ...(inside === undefined ? [] : [`${inside} leads into a private network or to this machine: only the user can `
      + `name that address (${settingName('hosts')})`]),
  ].join('; ')
}

/** @param isUnreached it says that it reaches nothing */
function namedWalls(hosts: readonly string[], denied: readonly DeniedHost[], isUnreached: boolean): Wall[] {
  if (denied.length > 0) return [{ meaning: deniedInWords(denied), kept: 'a host is not named', opens: ['outside'] }]
  return !isUnreached ? [] : [{
    meaning: `it reaches ${hosts.join(', ')} alone, and only by the HTTP proxy that HTTPS_PROXY names: other protocols `
      + 'and names resolved by itself lead nowhere',
    kept: 'only named hosts are reached', opens: ['outside'],
  }]
}

function keptWall(name: string, canBeOpened: boolean): Wall {
  const kept = `${name} is read-only`
  return !canBeOpened ? { meaning: `${kept} there`, kept, opens: [] } : {
    meaning: `${kept} there (only the user can open it: execute_command asks them at a terminal; or ${
      settingName('unconfined')})`,
    kept, opens: ['git'],
  }
}

function hiddenWall(path: string | undefined): Wall[] {
  return path === undefined ? [] : [{
    meaning: `it does not show ${path}: only the root, system directories and programs in PATH are there `
      + `(only the user can open another directory: ${settingName('allow')})`,
    kept: `${path} is not shown`, opens: ['outside'],
  }]
}

/** Plain words, whatever their case. */
function any(...words: string[]): RegExp {
  return new RegExp(words.join('|'), 'i')
}

/** Absolute paths in a text; at most some dozens. */
function pathsIn(text: string): string[] {
  return [...new Set(text.match(/(?<![\w.~/-])\/[\w.+@-]+(?:\/[\w.+@-]+)*/g) ?? [])].slice(-40)
}
