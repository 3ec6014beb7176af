import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ExecutionResult } from '../../src/index.js'
import { spread } from '../support/campaign.js'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { ACCOUNTS, command, SANDBOXES, spreadIn, Stage } from './stage.js'

/** A repository of its own below the root. */
function makeNested(stage: Stage, path: string, ...flags: string[]): void {
  mkdirSync(join(stage.base, path), { recursive: true })
  stage.handOver()
  stage.git('init', '--quiet', ...flags, join(stage.base, path))
}

interface Plan {
  name: string
  prepare(stage: Stage): void
  /** `evil` is a command line that leaves a mark outside of the root. */
  command(evil: string): string
  /** What the user does afterwards, with the directory below the root that it is done in. */
  afterwards: [directory: string, ...args: string[]]
}

const STATUS = ['status', '--short']

const PLANS: readonly Plan[] = [
  {
    name: 'changes the configuration of a work tree in the root',
    prepare: stage => makeNested(stage, 'project/lib'),
    command: evil => `git -C lib config core.fsmonitor '${evil}'; printf '[core]\\n\\tfsmonitor = "${evil}"\\n' >> lib/.git/config`,
    afterwards: ['lib', ...STATUS],
  },
  {
    name: 'puts another directory in the place of a work tree',
    prepare: stage => makeNested(stage, 'project/a/lib'),
    command: evil => `cp -r a b && mv a c; mv b a; mv a/lib a/old; cp -r a/old a/lib; git -C a/lib config core.fsmonitor '${evil}'`,
    afterwards: ['a/lib', ...STATUS],
  },
  {
    name: 'makes hooks where a configuration in the root looks for them',
    prepare(stage) {
      makeNested(stage, 'project/lib')
      stage.git('-C', 'lib', 'config', 'core.hooksPath', 'tools/hooks')
    },
    command: evil => `mkdir -p lib/tools/hooks; printf '#!/bin/sh\\n${evil}\\n' > lib/tools/hooks/pre-commit; chmod +x lib/tools/hooks/pre-commit`,
    afterwards: ['lib', 'commit', '-q', '--allow-empty', '-m', 'x'],
  },
  {
    name: 'changes a file that a configuration in the root includes',
    prepare(stage) {
      makeNested(stage, 'project/lib')
      stage.plant('project/lib/settings', '[user]\n\tname = b\n')
      stage.git('-C', 'lib', 'config', 'include.path', '../settings')
    },
    command: evil => `printf '[core]\\n\\tfsmonitor = "${evil}"\\n' >> lib/settings`,
    afterwards: ['lib', ...STATUS],
  },
  {
    name: 'changes the repository that a .git file names',
    prepare(stage) {
      makeNested(stage, 'project/lib', `--separate-git-dir=${join(stage.root, 'data')}`)
    },
    command: evil => `printf '[core]\\n\\tfsmonitor = "${evil}"\\n' >> data/config`,
    afterwards: ['lib', ...STATUS],
  },
  {
    name: 'names another repository in a .git file',
    prepare(stage) {
      makeNested(stage, 'project/lib', `--separate-git-dir=${join(stage.root, 'data')}`)
    },
    command: evil => `cp -r data other && printf '[core]\\n\\tfsmonitor = "${evil}"\\n' >> other/config; echo 'gitdir: ../other' > lib/.git; `
      + 'mv lib/.git lib/old; echo "gitdir: ../other" > lib/.git',
    afterwards: ['lib', ...STATUS],
  },
  {
    name: 'changes a bare repository in the root',
    prepare: stage => makeNested(stage, 'project/store.git', '--bare'),
    command: evil => `printf '[alias]\\n\\tst = "!${evil}"\\n' >> store.git/config`,
    afterwards: ['store.git', 'st'],
  },
]

describe.skipIf(process.platform !== 'linux')('a command in the sandbox', () => {
  const program = useProgram(new URL('./run-commands.ts', import.meta.url))

  describe.each(ACCOUNTS)('of %s', (account) => {
    async function tried(plan: Plan, sandbox: 'bwrap' | 'unshare' | 'none') {
      const stage = new Stage(account)
      plan.prepare(stage)
      const evil = `touch ${stage.outside}/planted`
      const results = await stage.run(program.path, [command(plan.command(evil))], { sandbox, gitCommit: false })
      const [directory, ...args] = plan.afterwards
      try {
        stage.git('-C', directory, ...args)
      } catch (error) {
        // Whether git is content with what it finds does not matter.
        if (!(error instanceof Error && 'status' in error)) throw error
      }
      return { hasFired: stage.has('outside/planted'), shown: JSON.stringify(results, null, 1) }
    }

    describe.each(SANDBOXES)('in %s', (sandbox, needs) => {
      needing(...needs).it.each(spreadIn(sandbox, PLANS, 4))('$name: nothing runs', async (plan) => {
        const { hasFired, shown } = await tried(plan, sandbox)
        expect(hasFired, shown).toBe(false)
      })

      needing(...needs).it('makes no repository, policy or state in an --allow directory', async () => {
        const stage = new Stage(account)
        const allowed = join(stage.base, 'allowed')
        mkdirSync(allowed)
        await stage.run(program.path, [command(`cd ${allowed}; git init -q .; mkdir .git .hermes; echo x > .git/config; echo x > .hermes/x; `
          + 'echo "sandbox: none" > hermes.yaml; echo y > file.txt')], { sandbox, allow: [allowed] })
        expect(['file.txt', '.git', '.hermes', 'hermes.yaml'].filter(name => stage.has(`allowed/${name}`))).toEqual(['file.txt'])
      })

      needing(...needs).it('changes no policy of a project in the root', async () => {
        const stage = new Stage(account)
        stage.plant('project/lib/hermes.yaml', 'exec: off\n')
        await stage.run(program.path, [command('echo "exec: on" > lib/hermes.yaml; rm lib/hermes.yaml; mv lib old; mkdir lib')], { sandbox })
        expect(stage.read('project/lib/hermes.yaml')).toBe('exec: off\n')
      })

      needing(...needs).it.each(spreadIn(sandbox, [
        { made: '.git', line: 'git init -q sub' },
        { made: '.git', line: 'git init -q first && mv first sub' },
        { made: 'hermes.yaml', line: 'mkdir sub && echo "exec: on" > sub/hermes.yaml' },
        { made: '.hermes', line: 'mkdir -p sub/.hermes/journal' },
      ], 1))('makes $made in a directory ($line): it counts for nothing there until the user says so', async ({ made, line }) => {
        const stage = new Stage(account)
        const answers = [command(line), command('touch sub/file.txt sub/.git/x sub/.hermes/x; echo >> sub/hermes.yaml')]
        const results = await stage.run(program.path, answers, { sandbox, gitCommit: false })
        expect(results.map(({ success }) => success), JSON.stringify(results)).toContain(true)
        const sub = join(stage.root, 'sub')
        await expect(stage.run(program.path, [command('true')], { root: sub, sandbox })).rejects.toThrow(
          `A command of hermes made ${join(sub, made)}`,
        )
      })
    })

    it.each(spread(PLANS, 6))('$name: without a sandbox it runs', async (plan) => {
      const { hasFired, shown } = await tried(plan, 'none')
      expect(hasFired, shown).toBe(true)
    })
  })

  it('has what a nested configuration names closed to verbs too', async () => {
    const stage = new Stage()
    makeNested(stage, 'project/lib')
    makeNested(stage, 'project/store', '--bare')
    stage.plant('project/lib/settings', '[user]\n\tname = b\n')
    stage.git('-C', 'lib', 'config', 'include.path', '../settings')
    stage.git('-C', 'lib', 'config', 'core.hooksPath', 'tools/hooks')
    const paths = ['lib/settings', 'lib/tools/hooks/pre-commit', 'lib/.git/config', 'store/config', 'store/hooks/x', 'lib/open.txt']
    const answers = paths.map(path => (
      `<tool_call>${JSON.stringify({ name: 'fs.writeFile', arguments: { path: join(stage.root, path), content: 'x' } })}</tool_call>\n`
    ))
    const results = await stage.run(program.path, answers, { gitCommit: false })
    expect(results.map(({ results: [result] }) => result?.code)).toEqual([...Array<string>(5).fill('POLICY_DENIED'), undefined])
  })

  needing('bubblewrap').it('may go on with a repository that a command before it made', async () => {
    const stage = new Stage()
    const results: ExecutionResult[] = await stage.run(program.path, [
      command('git init -q sub'), command('cd sub && git config user.name a && git config user.email a@b && git commit -q --allow-empty -m x'),
      command('rm -r sub'),
    ], { sandbox: 'bwrap', gitCommit: false })
    expect(results.map(({ success }) => success), JSON.stringify(results)).toEqual([true, true, true])
  })
})

