import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { ExecutionResult } from '../../src/index.js'
import { spread } from '../support/campaign.js'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { makeRepository } from './escapes.js'
import { ACCOUNTS, SANDBOXES, spreadIn, Stage, type Account } from './stage.js'

type Sandbox = 'bwrap' | 'unshare' | 'none'

/** A repository with a hook of the user's that runs a script of the project, as `npm test` would. */
function makeHooked(stage: Stage, hook = 'pre-commit'): void {
  stage.plant('project/test.sh', 'true\n')
  makeRepository(stage)
  stage.plant(`project/.git/hooks/${hook}`, '#!/bin/sh\nexec sh ./test.sh\n', 0o755)
}

function call(name: string, args: Record<string, unknown>): string {
  return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
}

/** An answer that changes the script: the hook of its commit runs it. */
function script(stage: Stage, code: string): string {
  return call('fs.writeFile', { path: join(stage.root, 'test.sh'), content: code })
}

const REPOSITORY = (evil: string): string => (
  `mkdir sub; cd sub; (unset GIT_INDEX_FILE GIT_DIR GIT_WORK_TREE; git init -q .; git config core.fsmonitor "${evil}; false"; `
    + 'git -c core.fsmonitor=false -c user.name=a -c user.email=b commit -q --allow-empty -m x); cd ..; '
)

interface Plan {
  name: string
  hook?: string
  code(evil: string, stage: Stage): string
}

/** Code of the project that leaves something for git to go by; `git status` of the user then runs a program. */
const ADDED: readonly Plan[] = [
  { name: 'adds a repository to what is committed', code: evil => `${REPOSITORY(evil)} git -c core.fsmonitor=false add sub\n` },
  {
    name: 'adds a repository to the index of the user, and refuses the commit',
    code: evil => `${REPOSITORY(evil)} cp .git/index copy; GIT_INDEX_FILE=$PWD/copy git -c core.fsmonitor=false add sub; mv copy .git/index; exit 1\n`,
  },
]

/** Links in git's own directory, by which git itself writes elsewhere. */
const LINKS: readonly Plan[] = [
  { name: 'the message of the commit', code: (_, { outside }) => `ln -sf ${outside}/victim .git/COMMIT_EDITMSG\n` },
  { name: 'the log of HEAD', code: (_, { outside }) => `ln -sf ${outside}/victim .git/logs/HEAD\n` },
  { name: 'the log of HEAD, after the commit', hook: 'post-commit', code: (_, { outside }) => `ln -sf ${outside}/victim .git/logs/HEAD\n` },
  {
    name: 'the message of the commit, where git does not ask what came of the hook', hook: 'post-index-change',
    code: (_, { outside }) => `ln -sf ${outside}/victim .git/COMMIT_EDITMSG\n`,
  },
]

describe.skipIf(process.platform !== 'linux')('a hook of git that runs code of the project', () => {
  const program = useProgram(new URL('./run-commands.ts', import.meta.url))

  async function run(plan: Plan, sandbox: Sandbox, account: Account): Promise<{ stage: Stage; results: ExecutionResult[] }> {
    const stage = new Stage(account)
    makeHooked(stage, plan.hook)
    stage.plant('outside/victim', 'as it was\n')
    const results = await stage.run(program.path, [
      script(stage, plan.code(`touch ${stage.outside}/planted`, stage)),
      call('fs.writeFile', { path: join(stage.root, 'other.txt'), content: 'x' }),
      call('git_commit', { message: 'x; touch /tmp/x', all: true }),
    ], { sandbox })
    return { stage, results }
  }

  for (const account of ACCOUNTS) for (const [sandbox, needs] of SANDBOXES) {
    needing(...needs).it.each(spreadIn(sandbox, ADDED, 1))(`$name: git status runs nothing (${account}, ${sandbox})`, async plan => {
      const { stage, results } = await run(plan, sandbox, account)
      stage.git('status')
      expect(stage.has('outside/planted'), JSON.stringify(results)).toBe(false)
      expect(stage.git('ls-tree', 'HEAD') + stage.git('ls-files', '--stage')).not.toContain('160000')
    })

    needing(...needs).it.each(spreadIn(sandbox, LINKS, 2))(`puts a link in the place of $name: nothing is written by it (${account}, ${sandbox})`, async plan => {
      const { stage, results } = await run(plan, sandbox, account)
      expect(stage.read('outside/victim'), JSON.stringify(results)).toBe('as it was\n')
    })
  }

  it.each(ADDED.slice(0, 1))('$name: without a sandbox too git status runs nothing', async plan => {
    const { stage } = await run(plan, 'none', 'an unprivileged user')
    stage.git('status')
    expect(stage.has('outside/planted')).toBe(false)
  })

  it.each(spread(LINKS, 2))('puts a link in the place of $name: without a sandbox it is written', async plan => {
    const { stage } = await run(plan, 'none', 'an unprivileged user')
    expect(stage.read('outside/victim')).not.toBe('as it was\n')
  })

  needing('bubblewrap').it('says that repositories were added, commits the rest, and git_commit does so too', async () => {
    const stage = new Stage()
    makeHooked(stage)
    const code = `[ -d sub ] || { ${REPOSITORY('false')} }\ngit -c core.fsmonitor=false add sub\n`
    const [first, second] = await stage.run(program.path, [
      script(stage, code), script(stage, `${code}true\n`).concat(call('git_commit', { message: 'mine', files: [join(stage.root, 'test.sh')] })),
    ], { sandbox: 'bwrap' })
    expect(first?.warnings).toContainEqual(expect.stringContaining('added repositories as submodules: sub.'))
    expect(first?.gitCommit).toBe(stage.git('rev-parse', 'HEAD~1').trim())
    expect(second?.results[1]).toMatchObject({ success: true, hint: expect.stringContaining('added repositories as submodules: sub.') })
    expect(stage.git('log', '--format=%s', '--name-only', '-2')).toBe('mine\n\ntest.sh\nAI: fs.writeFile test.sh\n\ntest.sh\n')
    expect(stage.git('ls-files', '--stage')).not.toContain('160000')
    expect(stage.git('status', '--short')).toBe('?? sub/\n')
  })

  needing('bubblewrap').it('cannot lead git to another repository or other objects, also while it runs', async () => {
    const stage = new Stage()
    makeHooked(stage)
    const tries = ['commondir', 'config.worktree', 'gitdir', 'objects/info/alternates', 'hooks/pre-push', 'modules/x', 'worktrees/x', 'index']
    const code = `${tries.map(name => `rm -f .git/${name}; echo ../evil > .git/${name} && echo ${name} >> made`).join('\n')}\n`
      + 'mv .git/objects .git/old && echo objects >> made\nmv .git/objects/info .git/objects/x && echo info >> made\ntrue\n'
    const before = readdirSync(join(stage.root, '.git')).sort()
    const [result] = await stage.run(program.path, [script(stage, code)], { sandbox: 'bwrap' })
    expect(result?.gitCommit, JSON.stringify(result)).toBeDefined()
    expect(stage.read('project/made')).toBe('')
    expect(readdirSync(join(stage.root, '.git')).filter(name => !before.includes(name))).toEqual([])
  })

  needing('bubblewrap').it('leaves nothing that git goes by where hermes is killed while it runs', async () => {
    const stage = new Stage()
    makeHooked(stage)
    const code = `[ -e runs ] && exit 0; printf '../evil\\n' > .git/commondir; ln -s ${stage.outside}/victim .git/logs/x; touch runs; sleep 300\n`
    const running = stage.start(program.path, [script(stage, code)], { sandbox: 'bwrap' })
    await vi.waitFor(() => expect(existsSync(join(stage.root, 'runs'))).toBe(true), { timeout: 60_000, interval: 50 })
    expect(stage.git('status', '--short')).toContain('?? runs')
    running.kill('SIGKILL')
    expect(stage.git('rev-parse', '--git-common-dir')).toMatch(/^(?:\.git|.*\/project\/\.git)\/?\.?\n$/)
    stage.hermes('recover')
    expect(existsSync(join(stage.root, '.git/commondir'))).toBe(false)
    expect(existsSync(join(stage.root, '.git/config.worktree'))).toBe(false)
    expect(readdirSync(join(stage.root, '.git/logs'))).not.toContain('x')
    expect(readFileSync(join(stage.root, '.git/HEAD'), 'utf8')).toContain('refs/heads/')
  })
})
