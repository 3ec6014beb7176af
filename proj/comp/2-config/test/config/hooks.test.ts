import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from '../../../../test/support/seeded-fast-check.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hookCommand, loadPolicy, parsePolicy, takesPaths } from '../../src/config/index.js'
import { policyWorld, PROJECT, USER } from './policy-world.js'

afterEach(() => vi.unstubAllEnvs())

const names = fc.array(fc.string({ unit: fc.constantFrom(...'ab \'"$`\\;|&<>(){}[]*?!#~-=\n\té😀'), minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 })

describe('hookCommand', () => {
  it('gives a shell each name as one word, whatever it holds', () => {
    fc.assert(fc.property(names, (paths) => {
      const { line } = hookCommand('printf "%s\\0" {paths}', paths)
      const printed = execFileSync('bash', ['-c', line?.text ?? '', 'hook', ...line?.args ?? []], { encoding: 'utf8' })
      expect(printed.split('\0').slice(0, -1)).toEqual(paths.map((path) => (path.startsWith('-') ? `./${path}` : path)))
    }), { numRuns: 40 })
  })

  it('shows what a shell would read the same way', () => {
    fc.assert(fc.property(names, (paths) => {
      const { shown } = hookCommand(['printf', '%s\\0', '{paths}'], paths)
      const printed = execFileSync('bash', ['-c', shown], { encoding: 'utf8' })
      expect(printed.split('\0').slice(0, -1)).toEqual(paths.map((path) => (path.startsWith('-') ? `./${path}` : path)))
    }), { numRuns: 40 })
  })

  it('puts names into lists as they are', () => {
    expect(hookCommand(['f', '--file={path}', '{path}'], ["it's $&"])).toEqual({
      words: ['f', "--file=it's $&", "it's $&"], shown: String.raw`f '--file=it'\''s $&' 'it'\''s $&'`,
    })
    expect(hookCommand(['f', '{paths}', 'end'], ['a', '-b'])).toEqual({ words: ['f', 'a', './-b', 'end'], shown: 'f a ./-b end' })
    expect([takesPaths('npm test'), takesPaths('x {path}'), takesPaths(['x', '{paths}'])]).toEqual([false, true, true])
  })
})

describe('the hooks of a root', () => {
  const load = (root: string) => loadPolicy({ root, policy: undefined, wishes: { limits: {} } })

  it("are the user's, then those of projects from the outermost on, with their lines", async () => {
    const { root } = policyWorld({ [USER]: 'hooks:\n  after: [{ run: mine }]\n', [PROJECT]: 'hooks:\n  after:\n    - run: outer\n' })
    mkdirSync(join(root, 'sub'))
    writeFileSync(join(root, 'sub', 'hermes.yaml'), 'hooks: { after: [{ run: inner }] }\n')
    const { hooks } = await load(join(root, 'sub'))
    expect(hooks.map(({ name, by, project }) => [name, by, project?.isTrusted])).toEqual([
      ['mine', '~/.hermes/config.yaml:2', undefined], ['outer', '../hermes.yaml:3', false], ['inner', 'hermes.yaml:1', false],
    ])
  })

  it('match files by patterns that start where those of the file do', async () => {
    const { root } = policyWorld({ [PROJECT]: "hooks:\n  after_write:\n    - { run: a, files: '*.ts' }\n    - { run: b, files: ['src/**', './c.txt'] }\n    - run: c\n" })
    const { hooks } = await load(root)
    const matching = (below: string): string => hooks.filter((hook) => hook.matches(join(root, below), below)).map(({ name }) => name).join('')
    expect([matching('x.ts'), matching('deep/x.ts'), matching('src/x.md'), matching('c.txt'), matching('deep/c.txt')]).toEqual(['ac', 'ac', 'bc', 'bc', 'c'])
  })

  it('are trusted by directory, or by directory and what they are', async () => {
    const { home, root } = policyWorld({ [PROJECT]: 'hooks:\n  after:\n    - run: npm test\n' })
    mkdirSync(join(home, '.hermes'))
    const trusted = async (entry: string): Promise<boolean | undefined> => {
      writeFileSync(join(home, '.hermes', 'config.yaml'), `trusted_hooks: ['${entry}']\n`)
      return (await load(root)).hooks[0]?.project?.isTrusted
    }
    const trust = (await load(root)).hooks[0]?.project?.trust ?? ''
    expect(trust).toMatch(new RegExp(`^${root}@[0-9a-f]{16}$`))
    expect([await trusted(trust), await trusted(root), await trusted(`${root}/`), await trusted('~/../project')]).toEqual([true, true, true, true])
    expect([await trusted(`${root}@0000000000000000`), await trusted(join(root, '..')), await trusted(`${root}/sub`)]).toEqual([false, false, false])
    writeFileSync(join(root, 'hermes.yaml'), '# a comment more\nhooks: { after: [{ run: npm test }] }\n')
    expect(await trusted(trust)).toBe(true)
    writeFileSync(join(root, 'hermes.yaml'), 'hooks: { after: [{ run: npm tests }] }\n')
    expect(await trusted(trust)).toBe(false)
  })

  it('of a trusted project are asked about anew in a repository that lies in it: there they start the code of another', async () => {
    const { home, root } = policyWorld({ [PROJECT]: 'hooks:\n  after:\n    - run: npm test\n', 'project/vendor/cloned/.git': 'gitdir: elsewhere\n' })
    mkdirSync(join(home, '.hermes'))
    const [part, cloned] = [join(root, 'part'), join(root, 'vendor/cloned')]
    for (const directory of [part, join(cloned, 'src')]) mkdirSync(directory)
    const trusting = async (entry: string, at: string) => {
      writeFileSync(join(home, '.hermes', 'config.yaml'), `trusted_hooks: ['${entry}']\n`)
      return (await load(at)).hooks[0]?.project
    }
    expect([(await trusting(root, part))?.isTrusted, (await trusting(root, cloned))?.isTrusted]).toEqual([true, false])
    const { trust = '' } = await trusting(root, join(cloned, 'src')) ?? {}
    expect(trust).toMatch(new RegExp(`^${cloned}@[0-9a-f]{16}$`))
    expect([(await trusting(trust, cloned))?.isTrusted, (await trusting(trust, root))?.isTrusted]).toEqual([true, false])
  })
})

describe('a command that would read the name of a file as code', () => {
  const refusal = async (run: unknown): Promise<string> => {
    try {
      await parsePolicy(JSON.stringify({ hooks: { after_write: [{ run }] } }), 'hermes.yaml', '/p')
      return ''
    } catch (error) {
      return String(error)
    }
  }

  it.each([
    [['sh', '-c', 'cat {path}']], [['/bin/bash', '-lc', 'eslint {path} --fix']], [['sh', '-c', '{path}']], [['bash', '-c', '{paths}']],
    [['env', 'A=b', 'zsh', '-c', 'x={path}']], [['node', '-e', '{path}']], [['python3', '-c', 'print("{path}")']], [['node', '--eval={path}']],
    [['nice', 'perl', '-ne', '{path}']], [['cmd.exe', '/c', '{path}']], [['bash', '-o', 'pipefail', '-c', '{path}']],
    ['sh -c {path}'], ['cd src && bash -e -c {path}'], ['eval cat {path}'], ['true; eval "x" {paths}'],
  ])('%j is refused', async (run) => expect(await refusal(run)).toMatch(/run: \{paths?\} would be read as code/))

  it.each([
    [['prettier', '-w', '{paths}']], [['sh', '-c', 'cat "$1"', 'sh', '{path}']], [['tool', '--file={path}']], [['eslint', '-c', '{path}']],
    [['node', 'fix.mjs', '-e', 'ts', '{path}']], [['grep', '-e', 'x', '{path}']], [['python3', '-m', 'flake8', '-c', '{path}']], ['sh check.sh {path}'], ['grep -c x {path}'], ['ev=1; evaluate {path}'],
  ])('%j is not', async (run) => expect(await refusal(run)).toBe(''))
})

it('the examples of docs/hooks.md are policies', async () => {
  const page = readFileSync(new URL('../../../../../docs/hooks.md', import.meta.url), 'utf8')
  const [hooks = '', trusted = ''] = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => text)
  expect(Object.keys((await parsePolicy(hooks, 'docs', '/docs')).values.hooks ?? {})).toEqual(['before', 'after_write', 'after'])
  expect((await parsePolicy(trusted, 'docs', undefined)).values.trusted_hooks).toHaveLength(2)
})
