import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { makeRepository } from './escapes.js'
import { command, SANDBOXES, spreadIn, Stage } from './stage.js'

const SECRET = 'a secret of the other repository'

function call(name: string, args: Record<string, unknown>): string {
  return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
}

/** A repository of the user's beside the root. @returns its directory */
function makeOther(stage: Stage): string {
  const other = join(stage.base, 'other')
  stage.plant('other/secret.txt', `${SECRET}\n`)
  stage.handOver()
  for (const args of [['init', '-q'], ['add', '.'], ['commit', '-q', '-m', SECRET]]) stage.git('-C', other, ...args)
  return other
}

/** Every verb that could tell of it or change it. */
function useOf(directory: string): string {
  return [
    call('git_commit', { message: 'evil', files: [join(directory, 'f')] }), call('git_log', { path: join(directory, 'f') }),
    call('git_diff', { path: directory }), call('git_status', { path: directory }),
  ].join('')
}

interface Plan {
  name: string
  /** Makes the directory `sub` a work tree of the other repository. */
  line(other: string): string
}

const PLANS: readonly Plan[] = [
  { name: 'a .git file', line: other => `mkdir sub; echo x > sub/f; echo "gitdir: ${other}/.git" > sub/.git` },
  { name: 'a link', line: other => `mkdir sub; echo x > sub/f; ln -s ${other}/.git sub/.git` },
  { name: 'commondir', line: other => `git init -q sub; echo x > sub/f; rm -r sub/.git/refs sub/.git/objects; echo ${other}/.git > sub/.git/commondir` },
  { name: 'links in .git', line: other => `git init -q sub; echo x > sub/f; cd sub/.git; rm -r refs objects; ln -s ${other}/.git/refs ${other}/.git/objects .` },
  { name: 'alternates', line: other => `git init -q sub; echo x > sub/f; echo ${other}/.git/objects > sub/.git/objects/info/alternates` },
]

/** Work trees that a user may have, each with its repository elsewhere. */
const LEGITIMATE: Record<string, (stage: Stage) => void> = {
  'a linked work tree'(stage) {
    const other = makeOther(stage)
    rmSync(join(stage.root, 'file.txt'))
    stage.git('-C', other, 'worktree', 'add', '-q', stage.root)
  },
  'a submodule that is the root'(stage) {
    const other = makeOther(stage)
    mkdirSync(join(stage.base, 'sup'))
    stage.handOver()
    stage.git('init', '-q', join(stage.base, 'sup'))
    stage.git('-c', 'protocol.file.allow=always', '-C', join(stage.base, 'sup'), 'submodule', '--quiet', 'add', other, 'lib')
    Object.assign(stage, { root: join(stage.base, 'sup/lib') })
  },
  'a repository in a directory of its own (--separate-git-dir)'(stage) {
    stage.handOver()
    stage.git('init', '-q', `--separate-git-dir=${join(stage.base, 'data')}`)
    stage.git('add', '.')
    stage.git('commit', '-q', '-m', 'x')
  },
  'a clone that shares objects'(stage) {
    const other = makeOther(stage)
    rmSync(join(stage.root, 'file.txt'))
    stage.git('-C', other, 'clone', '-q', '--shared', other, stage.root)
  },
  'a directory of a repository'(stage) {
    makeRepository(stage)
    mkdirSync(join(stage.root, 'deep'))
    Object.assign(stage, { root: join(stage.root, 'deep') })
  },
}

describe.skipIf(process.platform !== 'linux')('git verbs', () => {
  const program = useProgram(new URL('./run-commands.ts', import.meta.url))

  for (const [sandbox, needs] of SANDBOXES) {
    needing(...needs).it.each(spreadIn(sandbox, PLANS, 2))(`go by no repository that a command made, with $name to another (${sandbox})`, async ({ line }) => {
      const stage = new Stage()
      makeRepository(stage)
      const other = makeOther(stage)
      const before = stage.git('-C', other, 'log', '--all', '--format=%H')
      const [, second] = await stage.run(program.path, [command(line(other)), useOf(join(stage.root, 'sub'))], { sandbox })
      expect(second?.results.map(({ code }) => code), JSON.stringify(second)).toEqual(Array(4).fill('POLICY_DENIED'))
      expect(JSON.stringify(second)).not.toContain(SECRET)
      expect(stage.git('-C', other, 'log', '--all', '--format=%H')).toBe(before)
    })
  }

  it('go by no .git file of a directory in the root that the other repository does not know of', async () => {
    const stage = new Stage()
    makeRepository(stage)
    const other = makeOther(stage)
    stage.plant('project/sub/f', 'x\n')
    writeFileSync(join(stage.root, 'sub/.git'), `gitdir: ${other}/.git\n`)
    const [result] = await stage.run(program.path, [useOf(join(stage.root, 'sub'))], {})
    expect(result?.results.map(({ code }) => code), JSON.stringify(result)).toEqual(Array(4).fill('POLICY_DENIED'))
    const [opened] = await stage.run(program.path, [call('git_log', { path: join(stage.root, 'sub') })], { allow: [other] })
    expect(opened?.results[0], 'the user has opened it').toMatchObject({ success: true })
  })

  it.each(['file', 'link'])('nor does the commit of a run, where the root came with such a %s', async kind => {
    const stage = new Stage()
    const other = makeOther(stage)
    if (kind === 'link') symlinkSync(join(other, '.git'), join(stage.root, '.git'))
    else writeFileSync(join(stage.root, '.git'), 'gitdir: ../other/.git\n')
    const [result] = await stage.run(program.path, [call('fs.writeFile', { path: join(stage.root, 'new.txt'), content: 'x' })], {})
    expect(result).toMatchObject({ success: true, warnings: [expect.stringMatching(/^Not committed: .*does not say that this is its work tree/)] })
    expect(result?.gitCommit).toBeUndefined()
    expect(stage.git('-C', other, 'log', '--format=%s')).toBe(`${SECRET}\n`)
  })

  it.each(Object.keys(LEGITIMATE))('and commits work in %s', async name => {
    const stage = new Stage()
    LEGITIMATE[name]?.(stage)
    const path = join(stage.root, 'new.txt')
    const [first, second] = await stage.run(program.path, [
      call('fs.writeFile', { path, content: 'x' }),
      call('git_log', {}) + call('git_status', {}) + call('git_diff', {}),
    ], { root: stage.root })
    expect(first, JSON.stringify(first)).toMatchObject({ success: true, gitCommit: expect.any(String) })
    expect(second?.results.map(({ success }) => success), JSON.stringify(second)).toEqual([true, true, true])
    expect(readFileSync(path, 'utf8')).toBe('x')
  })

  needing('bubblewrap').it('work in a repository that a command made once the user has accepted it', async () => {
    const stage = new Stage()
    const sub = join(stage.root, 'sub')
    const log = call('git_log', { path: sub })
    const make = 'git init -q sub; cd sub; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x'
    const [, denied] = await stage.run(program.path, [command(make), log], { sandbox: 'bwrap' })
    expect(denied?.results[0]).toMatchObject({ code: 'POLICY_DENIED', hint: expect.stringContaining(`hermes init --trust in ${sub}`) })
    stage.hermes('init', '--trust', '--root', sub)
    const [accepted] = await stage.run(program.path, [log], { sandbox: 'bwrap' })
    expect(accepted?.results[0], JSON.stringify(accepted)).toMatchObject({ success: true })
  })
})
