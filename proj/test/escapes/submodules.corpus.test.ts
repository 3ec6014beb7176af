import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { spread } from '../support/campaign.js'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { makeRepository } from './escapes.js'
import { ACCOUNTS, command, SANDBOXES, spreadIn, Stage, type Account } from './stage.js'

/** What makes a repository whose settings name a program, which git runs once it looks for changes there. */
function planted(directory: string, evil: string): string {
  return `mkdir -p ${directory}; cd ${directory} && (unset GIT_INDEX_FILE GIT_DIR GIT_WORK_TREE; git init -q . && git config core.fsmonitor `
    + `"${evil}; false"; git -c core.fsmonitor=false -c user.name=a -c user.email=a@b commit -q --allow-empty -m x)`
}

/** The root has a submodule in its index. */
function makeSubmodule(stage: Stage, path = 'vendor/lib'): void {
  makeRepository(stage)
  const head = stage.git('rev-parse', 'HEAD').trim()
  stage.git('update-index', '--add', '--cacheinfo', `160000,${head},${path}`)
  stage.git('commit', '-q', '-m', 'submodule')
}

interface Plan {
  name: string
  prepare(stage: Stage): void
  command(evil: string): string
}

const PLANS: readonly Plan[] = [
  {
    name: 'in the empty directory of a submodule that is not checked out',
    prepare(stage) {
      makeSubmodule(stage)
      mkdirSync(join(stage.root, 'vendor/lib'), { recursive: true })
    },
    command: evil => planted('vendor/lib', evil),
  },
  {
    name: 'where the directory of a submodule was removed',
    prepare: stage => makeSubmodule(stage),
    command: evil => planted('vendor/lib', evil),
  },
  {
    name: 'where a file stands in the place of a submodule',
    prepare(stage) {
      makeSubmodule(stage)
      writeFileSync(join(stage.root, 'vendor'), '')
    },
    command: evil => `rm vendor; ${planted('vendor/lib', evil)}`,
  },
  {
    name: 'by moving a directory that leads to a submodule',
    prepare(stage) {
      makeSubmodule(stage)
      mkdirSync(join(stage.root, 'vendor/lib'), { recursive: true })
    },
    command: evil => `mv vendor old; ${planted('vendor/lib', evil)}`,
  },
  {
    name: 'in a submodule of a repository below the root',
    prepare(stage) {
      makeSubmodule(stage)
      mkdirSync(join(stage.root, 'vendor/lib'), { recursive: true })
      stage.handOver()
      stage.git('init', '-q', 'vendor/lib')
      const head = stage.git('rev-parse', 'HEAD').trim()
      mkdirSync(join(stage.root, 'vendor/lib/deep'))
      stage.git('-C', 'vendor/lib', 'update-index', '--add', '--cacheinfo', `160000,${head},deep`)
      stage.git('-C', 'vendor/lib', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'x')
    },
    command: evil => planted('vendor/lib/deep', evil),
  },
]

describe.skipIf(process.platform !== 'linux')('a command in the sandbox makes a repository', () => {
  const program = useProgram(new URL('./run-commands.ts', import.meta.url))

  async function tried(plan: Plan, account: Account, sandbox: 'bwrap' | 'unshare' | 'none'): Promise<boolean> {
    const stage = new Stage(account)
    plan.prepare(stage)
    const results = await stage.run(program.path, [command(plan.command(`touch ${stage.outside}/planted`))], {
      sandbox, gitCommit: false,
    })
    expect(results[0]?.results[0]?.data, JSON.stringify(results)).toMatchObject({ sandbox })
    stage.git('status')
    return stage.has('outside/planted')
  }

  for (const account of ACCOUNTS) for (const [sandbox, needs] of SANDBOXES) {
    needing(...needs).it.each(spreadIn(sandbox, PLANS, 2))(`$name: git status at the root runs nothing (${account}, ${sandbox})`, async plan => {
      expect(await tried(plan, account, sandbox)).toBe(false)
    })
  }

  it.each(spread(PLANS, 4))('$name: git status at the root runs its program without a sandbox', async plan => {
    expect(await tried(plan, 'an unprivileged user', 'none')).toBe(true)
  })

  needing('bubblewrap').it('leaves the work tree as it was, and git status works meanwhile', async () => {
    const stage = new Stage()
    makeSubmodule(stage)
    const results = await stage.run(program.path, [command('git status --short; ls')], { sandbox: 'bwrap', gitCommit: false })
    expect(results[0]?.results[0]?.data).toMatchObject({ stdout: ' D vendor/lib\nfile.txt\nhermes.yaml\nvendor\n' })
    expect(existsSync(join(stage.root, 'vendor'))).toBe(false)
  })
})
