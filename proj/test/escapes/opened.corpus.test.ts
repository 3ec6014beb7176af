import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ApprovalAnswer, ApprovalReply } from '../../comp/0-contracts/src/index.js'
import type { HermesOptions } from '../../src/index.js'
import { spread } from '../support/campaign.js'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { ACCOUNTS, command, python, SANDBOXES, Stage, type Account } from './stage.js'

const source = new URL('./run-commands.ts', import.meta.url)
const GIT = { answer: 'once', access: 'git' } as const
/** Meets the wall of `.git` first, so that the user is asked, and opens it. */
const MEETS = 'git branch met-the-wall && '

interface Plant {
  name: string
  prepare?(stage: Stage): void
  /** `evil` is a command line that leaves a mark outside of the root. */
  command(evil: string): string
  /** What the user does afterwards. */
  afterwards: readonly string[]
}

const STATUS = ['status', '--short']
const PLACES = SANDBOXES.flatMap(([sandbox, needs]) => ACCOUNTS.map(account => [sandbox, account, needs] as const))

const PLANTS: readonly Plant[] = [
  {
    name: 'a hook',
    command: evil => `mkdir -p .git/hooks; printf '#!/bin/sh\\n${evil}\\n' > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout`,
    afterwards: ['checkout', '-q', '-b', 'later'],
  },
  { name: 'a setting', command: evil => `git config core.fsmonitor '${evil}'`, afterwards: STATUS },
  {
    name: 'another configuration in the place of the one that is there',
    command: evil => `(cat .git/config; printf '[core]\\n\\tfsmonitor = "${evil}"\\n') > .git/new; mv .git/new .git/config`,
    afterwards: STATUS,
  },
  {
    name: 'a configuration of the work tree',
    prepare: stage => void stage.git('config', 'extensions.worktreeConfig', 'true'),
    command: evil => `printf '[core]\\n\\tfsmonitor = "${evil}"\\n' > .git/config.worktree`,
    afterwards: STATUS,
  },
  {
    name: 'another repository that this one takes its settings from',
    command: evil => `cp -r .git evil; printf '[core]\\n\\tfsmonitor = "${evil}"\\n' >> evil/config; echo "$PWD/evil" > .git/commondir`,
    afterwards: STATUS,
  },
  {
    name: 'a rebase with a command in its list',
    command: evil => 'mkdir -p .git/rebase-merge; cd .git/rebase-merge; git rev-parse HEAD > onto; cp onto orig-head; '
      + `echo refs/heads/main > head-name; touch interactive done; echo 1 > msgnum; echo 1 > end; echo 'exec ${evil}' > git-rebase-todo`,
    afterwards: ['rebase', '--continue'],
  },
  {
    name: 'another directory in the place of .git',
    command: evil => `cp -r .git other; printf '[core]\\n\\tfsmonitor = "${evil}"\\n' >> other/config; mv .git old; mv other .git`,
    afterwards: STATUS,
  },
  {
    name: 'a setting of a submodule',
    prepare(stage) {
      for (const path of ['lib', '.git/modules']) mkdirSync(join(stage.root, path))
      stage.handOver()
      stage.git('init', '-q', '--separate-git-dir', '.git/modules/lib', 'lib')
    },
    command: evil => `git config -f .git/modules/lib/config core.fsmonitor '${evil}'`,
    afterwards: ['-C', 'lib', ...STATUS],
  },
  {
    name: 'a repository of its own in the index',
    command: evil => 'git init -q sub; git -C sub -c user.name=a -c user.email=a@b commit -q --allow-empty -m x; '
      + `git -C sub config core.fsmonitor '${evil}'; git add -f sub`,
    afterwards: STATUS,
  },
  {
    name: 'a repository of its own in the other part of an index in two',
    command: evil => 'git init -q sub; git -C sub -c user.name=a -c user.email=a@b commit -q --allow-empty -m x; '
      + `git -C sub config core.fsmonitor '${evil}'; git add -f sub; git update-index --split-index`,
    afterwards: STATUS,
  },
]

function repository(account: Account): Stage {
  const stage = new Stage(account)
  stage.handOver()
  stage.git('init', '-q', '-b', 'main')
  stage.git('add', '.')
  stage.git('commit', '-q', '-m', 'first')
  return stage
}

/** What the user does; git may fail where nothing was planted. */
function carryOn(stage: Stage, { afterwards }: Plant): boolean {
  quietly(stage, 'git', afterwards)
  return stage.has('outside/planted')
}

function quietly({ identity, root, env }: Stage, program: string, args: readonly string[]): void {
  spawnSync(program, args, { ...identity, cwd: root, env, stdio: 'ignore' })
}

describe.each(ACCOUNTS)('without a sandbox, as %s,', account => {
  it.each(spread(PLANTS, 8))('git runs what a command has planted: $name', plant => {
    const stage = repository(account)
    plant.prepare?.(stage)
    const line = plant.command(`touch ${stage.outside}/planted`)
    quietly(stage, 'sh', ['-c', line])
    expect(carryOn(stage, plant)).toBe(true)
  })
})

/** What the user may open to one command that the sandbox stopped: by real sandboxes, git and a listener. */
describe.each(spread(PLACES, 3))('opened by the user in %s, to a command of %s', (sandbox, account, needs) => {
  needing(...needs).describe('', () => {
    const program = useProgram(source)

    async function run(
      stage: Stage, line: string, consent: ApprovalAnswer | ApprovalReply | undefined, options: HermesOptions = {},
    ) {
      const { results, asked } = await stage.ask(program.path, [command(line)], { sandbox, gitCommit: false, ...options }, consent)
      return { asked, result: results[0]?.results[0] }
    }

    it('the network', async () => {
      const stage = new Stage(account)
      await stage.listen()
      const connect = `import socket; socket.create_connection(("127.0.0.1", ${stage.port}))`
      const { result, asked } = await run(
        stage, `${python(connect)} || { echo Network is unreachable >&2; exit 1; }`, { answer: 'once', access: 'network' },
      )
      expect(result).toMatchObject({ success: true, data: { sandbox, access: 'network' } })
      expect(asked.map(({ kind, offers }) => [kind, offers])).toEqual([['escalation', ['network']]])
      expect(stage.connections).toBe(1)
    })

    it.each(spread(['always', 'once', { answer: 'once', access: 'outside' }] as const, 3))('nothing, by the answer %j', async consent => {
      const stage = repository(account)
      const { result, asked } = await run(stage, 'git branch made', consent)
      expect(result).toMatchObject({ success: false, data: { sandbox } })
      expect(asked).toHaveLength(1)
      expect(stage.git('branch', '--list', 'made')).toBe('')
    })

    it('git: branches, the index, the stash, tags and commits', async () => {
      const stage = repository(account)
      const { result, asked } = await run(
        stage, 'git checkout -q -b topic && echo two >> file.txt && git add file.txt && git commit -q -m second '
          + '&& git branch other && echo three >> file.txt && git stash -q && git tag v1 && git branch -d other', GIT,
      )
      expect(result).toMatchObject({ success: true, data: { sandbox, access: 'git' } })
      expect(asked.map(({ kind, offers }) => [kind, offers])).toEqual([['escalation', ['git']]])
      expect(stage.git('log', '--format=%s %an', '-2')).toBe('second a\nfirst a\n')
      expect(stage.git('branch', '--format=%(refname:short)')).toBe('main\ntopic\n')
      expect(stage.git('stash', 'list')).toContain('topic')
      expect(stage.git('status', '--porcelain')).toBe('')
      expect(stage.git('fsck', '--strict')).toBe('')
      expect(readdirSync(join(stage.root, '.hermes', 'git'))).toEqual([])
    })

    it('git: a merge, and all in packs', async () => {
      const stage = repository(account)
      const commit = (name: string): string => `echo ${name} > ${name} && git add ${name} && git commit -q -m ${name}`
      const { result } = await run(
        stage, `git checkout -q -b topic && ${commit('one')} && git checkout -q main && ${commit('two')} `
          + '&& git merge -q --no-edit topic && git branch -d topic && git branch old && git gc -q --prune=now', GIT,
      )
      expect(result).toMatchObject({ success: true, data: { access: 'git' } })
      expect(stage.git('log', '--format=%s').trim().split('\n').toSorted()).toEqual(["Merge branch 'topic'", 'first', 'one', 'two'])
      expect(stage.git('branch', '--format=%(refname:short)')).toBe('main\nold\n')
      expect([stage.git('status', '--porcelain'), stage.git('fsck', '--strict')]).toEqual(['', ''])
    })

    it('git, of a work tree that is linked to its repository elsewhere', async () => {
      const stage = repository(account)
      stage.git('worktree', 'add', '-q', join(stage.base, 'linked'))
      const root = join(stage.base, 'linked')
      const { result } = await run(stage, 'git checkout -q -b topic && echo two >> file.txt && git commit -q -a -m second', GIT, { root })
      expect(result).toMatchObject({ success: true, data: { access: 'git' } })
      expect(stage.git('log', '--format=%s', '-1', 'topic')).toBe('second\n')
      expect(stage.git('-C', root, 'status', '--porcelain', '--branch')).toBe('## topic\n')
      expect(stage.git('status', '--porcelain', '--branch')).toBe('## main\n')
    })

    it('git, and no object in the place of another', async () => {
      const stage = repository(account)
      const place = `.git/objects/aa/${'a'.repeat(38)}`
      const { result } = await run(
        stage, `${MEETS}mkdir -p .git/objects/aa && at=$(echo x | git hash-object -w --stdin | sed "s|^..|&/|") && cp .git/objects/$at ${place}`,
        GIT,
      )
      expect(result).toMatchObject({ success: false, code: 'POLICY_DENIED' })
      expect(stage.has(`project/${place}`)).toBe(false)
      expect(stage.git('branch', '--list', 'met-the-wall')).toBe('')
    })

    it.each(spread(PLANTS, 8))('git, and git runs nothing afterwards that was planted: $name', async plant => {
      const stage = repository(account)
      plant.prepare?.(stage)
      const { result, asked } = await run(stage, `${MEETS}{ ${plant.command(`touch ${stage.outside}/planted`)}; }`, GIT)
      expect(asked.flatMap(({ kind, offers }) => (kind === 'escalation' ? [offers] : []))).toEqual([['git']])
      // A repository in the index is refused, with all that the command did to git.
      expect(stage.git('branch', '--list', 'met-the-wall') === '').toBe(result?.code === 'POLICY_DENIED')
      expect(carryOn(stage, plant)).toBe(false)
    })
  })
})
