import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  orNothing, type ApprovalQuestion, type CommandSandbox, type CommitPlace, type Consent,
} from '../../../0-contracts/src/index.js'
import { runGit, settings } from '../../../2-git/src/index.js'
import { confinedLine, quoted, writeScript } from './git-wrappers.js'
import { isProgramFile, realPath } from '../home.js'
import { undoing } from '../../../2-files/src/index.js'
import { orReleaseLater } from '../or-release.js'
import { placeStandIns, removeLinks, requireNoLinks, withoutLinks } from './hook-control.js'

export interface HookPlace extends CommitPlace {
  /** Where git looks for the hooks: absolute. */
  hooks: string
  /** A new directory in which no command can write; removed afterwards. */
  scratch: string
}

export interface HookConsent {
  sandbox: CommandSandbox
  approve: (request: ApprovalQuestion) => Promise<Consent>
  /** Hooks reach the network. */
  network: boolean
  /**
   * `approve` speaks for hooks that are the user's; nobody is there to be asked about programs that the repository's
   * configuration names. Default false.
   */
  isUnattended?: boolean
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
 * @throws HermesError `APPROVAL_DENIED`, `NOT_INSTALLED` as `CommandSandbox.admit`; `POLICY_DENIED` for links in git's
 *   own directory
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
  requireNoLinks(place.repositories)
  const removeStandIns = placeStandIns(place.repositories)
  // Hooks are often links to scripts elsewhere.
  const linked = names.flatMap(hook => realPath(join(hooks, hook)) ?? []).filter(real => dirname(real) !== hooks)
  const program = await orReleaseLater(removeStandIns, async () => local.confine({
    verb: 'git',
    file: '/usr/bin/env',
    args: [],
    cwd: place.top,
    network,
    env: await committer(place.top),
    commit: place,
    readable: [hooks, place.scratch, ...linked, ...caches()].flatMap(path => realPath(path) ?? []),
  }))
  const release = (): void => {
    program.release?.()
    rmSync(place.scratch, { recursive: true, force: true })
    removeLinks(place.repositories)
    removeStandIns()
  }
  undoing(() => {
    const line = confinedLine(program, place.scratch)
    for (const file of names) {
      const hook = line(`${quoted(join(hooks, file))} "$@"`)
      writeScript(join(place.scratch, file), withoutLinks(hook, place.repositories))
    }
  }, release)
  return { settings: settings({ 'core.hooksPath': place.scratch }), release }
}

/** Files that git would run. */
function hooksIn(directory: string): string[] {
  const names = orNothing(() => readdirSync(directory), [])
  return names.filter(name => /^[a-z][a-z0-9-]*$/.test(name) && isProgramFile(join(directory, name)))
}

/** What usual managers of hooks have installed in the home: read-only, like all of it that is shown. */
function caches(): string[] {
  const { PRE_COMMIT_HOME: own, XDG_CACHE_HOME: cache = join(homedir(), '.cache') } = process.env
  return [own ?? join(cache, 'pre-commit'), join(homedir(), '.config', 'husky')].filter(existsSync)
}

/** Hooks that commit or stash need to know who does: the user's configuration is not shown to them. */
export async function committer(cwd: string): Promise<Record<string, string>> {
  const { stdout } = await runGit(['var', 'GIT_COMMITTER_IDENT'], {
    verb: 'git',
    cwd,
    signal: new AbortController().signal,
  })
  const [, name, email] = /^(.*) <(.*)> \d+ [+-]\d+\n?$/.exec(stdout.toString('utf8')) ?? []
  return name === undefined || email === undefined ? {} : { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
}
