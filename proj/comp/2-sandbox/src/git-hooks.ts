import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  orNothing, type ApprovalRequest, type CommandSandbox, type CommitPlace, type ConfinedProgram, type Consent,
} from '../../0-contracts/src/index.js'
import { runGit, settings } from '../../2-git/src/index.js'
import { realPath } from './home.js'

/** Variables that git gives its hooks, and those by which users tell usual hooks what to leave out. */
const PASSED = [
  'GIT_AUTHOR_DATE',
  'GIT_AUTHOR_EMAIL',
  'GIT_AUTHOR_NAME',
  'GIT_COMMITTER_DATE',
  'GIT_DIR',
  'GIT_EDITOR',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_REFLOG_ACTION',
  'GIT_WORK_TREE',
  'HERMES_RUN',
  'HUSKY',
  'PRE_COMMIT_HOME',
  'SKIP',
]
/** What git makes of its directory's settings when it finds them: they must not come from a hook. */
const SETTINGS = ['commondir', 'config.worktree']
/** First descriptor of the texts a sandbox reads; the one before it is its report. */
const FIRST_INPUT = 4

export interface HookPlace extends CommitPlace {
  /** Where git looks for the hooks: absolute. */
  hooks: string
  /** A new directory in which no command can write; removed afterwards. */
  scratch: string
}

export interface HookConsent {
  sandbox: CommandSandbox
  approve: (request: ApprovalRequest) => Promise<Consent>
  /** Hooks reach the network. */
  network: boolean
}

/** How git is run so that its hooks are held. */
export interface ConfinedHooks {
  /** Arguments for before the command. */
  settings: readonly string[]
  /** To be called when git has ended, before it is run again. */
  release: () => void
}

/**
 * Hooks are the user's, but most of them run code of the project (`npm test`), which a block or a command may have
 * changed: git is given programs in their place that start each of them in the sandbox.
 *
 * @returns `undefined` where there are no hooks, or where commands run without a sandbox anyway
 * @throws HermesError `APPROVAL_DENIED`, `NOT_INSTALLED` as `CommandSandbox.admit`
 */
export async function confineHooks(
  place: HookPlace,
  { sandbox, approve, network }: HookConsent,
): Promise<ConfinedHooks | undefined> {
  const names = hooksIn(place.hooks)
  if (names.length === 0) return undefined
  const { local } = sandbox
  const name = await local.admit('git', `the hooks of git in ${place.hooks}: ${names.join(', ')}`, approve)
  if (name === 'none') return undefined
  const hooks = realPath(place.hooks) ?? place.hooks
  mkdirSync(place.scratch, { recursive: true, mode: 0o700 })
  const isNew = SETTINGS.flatMap(setting => place.repositories.map(one => join(one, setting))).filter(
    one => !existsSync(one),
  )
  const program = await local.confine({
    verb: 'git',
    file: '/usr/bin/env',
    args: [],
    cwd: place.top,
    network,
    env: await committer(place.top),
    commit: place,
    readable: [hooks, place.scratch, ...linkTargets(hooks, names), ...caches()].flatMap(one => realPath(one) ?? []),
  })
  const release = (): void => {
    program.release?.()
    rmSync(place.scratch, { recursive: true, force: true })
    for (const path of isNew) rmSync(path, { recursive: true, force: true })
  }
  try {
    writeWrappers(program, hooks, names, place.scratch)
  } catch (error) {
    release()
    throw error
  }
  return { settings: settings({ 'core.hooksPath': place.scratch }), release }
}

/** Files that git would run. */
function hooksIn(directory: string): string[] {
  const found = orNothing(() => readdirSync(directory), [])
  return found.filter(
    name =>
      /^[a-z][a-z0-9-]*$/.test(name)
      && orNothing(() => {
        accessSync(join(directory, name), constants.X_OK)
        return statSync(join(directory, name)).isFile()
      }, false),
  )
}

/** Hooks are often links to scripts elsewhere. */
function linkTargets(directory: string, names: readonly string[]): string[] {
  return names.flatMap(name => {
    const real = realPath(join(directory, name))
    return real === undefined || dirname(real) === directory ? [] : [real]
  })
}

/** What usual managers of hooks have installed in the home: read-only, like all of it that is shown. */
function caches(): string[] {
  const { PRE_COMMIT_HOME: own, XDG_CACHE_HOME: cache = join(homedir(), '.cache') } = process.env
  return [own ?? join(cache, 'pre-commit'), join(homedir(), '.config', 'husky')].filter(existsSync)
}

/** Hooks that commit or stash need to know who does: the user's configuration is not shown to them. */
async function committer(cwd: string): Promise<Record<string, string>> {
  const { stdout } = await runGit(['var', 'GIT_COMMITTER_IDENT'], {
    verb: 'git',
    cwd,
    signal: new AbortController().signal,
  })
  const [, name, email] = /^(.*) <(.*)> \d+ [+-]\d+\n?$/.exec(stdout.toString('utf8')) ?? []
  return name === undefined || email === undefined ? {} : { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
}

/** One small script for each hook, and files with what the sandbox reads. */
function writeWrappers(program: ConfinedProgram, hooks: string, names: readonly string[], directory: string): void {
  const inputs = (program.inputs ?? []).map((text, index) => {
    const path = join(directory, `input-${index}`)
    writeFileSync(path, text, { mode: 0o600 })
    return `${FIRST_INPUT + index}<${quoted(path)}`
  })
  const outer = Object.entries(program.env).map(([name, value]) => quoted(`${name}=${value}`))
  const start = [
    '/usr/bin/env',
    '-i',
    '${HERMES_RUN+HERMES_RUN="$HERMES_RUN"}',
    ...outer,
    quoted(program.file),
    ...program.args.map(quoted),
  ]
  const given = PASSED.map(name => `\${${name}+${name}="$${name}"}`)
  const report = inputs.length > 0 ? [`${FIRST_INPUT - 1}>/dev/null`] : []
  for (const name of names) {
    const path = join(directory, name)
    const line = ['exec', ...start, ...given, quoted(join(hooks, name)), '"$@"', ...report, ...inputs].join(' ')
    writeFileSync(path, `#!/bin/sh\n${line}\n`, { mode: 0o700 })
    chmodSync(path, 0o700)
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
