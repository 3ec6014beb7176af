import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeTree } from '../../../../../test/support/file-tree.js'
import { needing } from '../../../../../test/support/needs.js'
import { tempDir } from '../../../../../test/support/temp-dir.js'
import { processMark } from '../../../../2-processes/src/index.js'
import { agentWithDelegates, copiesLeft, toldOf } from '../support/play-delegates.js'
import { say } from '../support/script.js'
import { useAgents } from '../support/use-agents.js'

const agents = useAgents()

type Call = [name: string, args: Record<string, unknown>]

interface Told {
  success: boolean
  hint?: string
  data: { changes?: { path: string }[]; left_out?: string[] }
}

function command(text: string): Call {
  return ['execute_command', { command: text }]
}

/** A delegate makes these calls in a copy of the root, and what it changed is accepted. */
function inCopy(root: string, calls: readonly Call[], options: Parameters<typeof agentWithDelegates>[3] = {}) {
  const playing = agentWithDelegates(agents, [
    say('', ['delegate', { task: 'work', mode: 'copy', name: 'work' }]), say('', ['delegate_accept', { name: 'work' }]),
    say('Done.'),
  ], { work: [say('', ...calls), say('It is done.')] }, { root, ...options })
  return {
    ...playing, told: (): Told[] => toldOf(playing.requests().at(-1)) as unknown as Told[],
    outputs: (): string => JSON.stringify(toldOf(playing.requests('work')[1])),
  }
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...args], {
    cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/** A repository with one commit, in whose `.git` a hook for each event leaves a mark. */
function repository(tree: Record<string, string>): string {
  const root = tempDir()
  git(root, 'init', '-q', '-b', 'main')
  writeTree(root, tree)
  git(root, 'add', '-A', '-f')
  git(root, 'commit', '-q', '-m', 'first')
  for (const name of ['post-checkout', 'pre-commit', 'post-index-change', 'reference-transaction']) {
    writeFileSync(join(root, '.git', 'hooks', name), `#!/bin/sh\ntouch '${join(root, '.git', 'ran')}'\n`, { mode: 0o755 })
  }
  return root
}

function stateOf(root: string): unknown {
  return [
    readFileSync(join(root, '.git', 'index')).toString('base64'), git(root, 'for-each-ref'),
    git(root, 'rev-parse', 'HEAD'), existsSync(join(root, '.git', 'ran')), existsSync(join(root, '.git', 'worktrees')),
  ]
}

describe('a copy of a git work tree', () => {
  it('has what is committed and what is not, without what is ignored; the repository stays as it is', async () => {
    const root = repository({ '.gitignore': 'out/\n*.log\n', 'a.txt': 'one\n', 'gone.txt': 'x\n', 'kept.log': 'tracked\n' })
    writeTree(root, { 'a.txt': 'edited\n', 'b.txt': 'staged\n', 'new.txt': 'new\n', 'out/x': 'built\n', 'y.log': 'log\n' })
    git(root, 'add', 'b.txt')
    execFileSync('rm', [join(root, 'gone.txt')])
    const before = stateOf(root)
    const { agent, told, outputs } = inCopy(root, [
      command('find . -type f -not -path "./.hermes*" | sort; cat a.txt; mkdir out; echo built > out/y; echo made > made.txt'),
    ])
    await using _ = agent
    await agent.chat('Go')
    expect(outputs()).toContain('./.gitignore\\n./a.txt\\n./b.txt\\n./kept.log\\n./new.txt\\nedited')
    expect(told()[0]?.data.changes).toEqual([{ path: 'made.txt', change: 'create' }])
    expect(stateOf(root)).toEqual(before)
    expect(existsSync(join(root, 'made.txt'))).toBe(true)
  })

  it('leaves out submodules and other repositories in it, and says so', async () => {
    const library = repository({ 'lib.txt': 'lib\n' })
    const root = repository({ 'a.txt': 'one\n' })
    git(root, 'submodule', 'add', '-q', library, 'vendor/lib')
    mkdirSync(join(root, 'nested'))
    git(join(root, 'nested'), 'init', '-q')
    writeFileSync(join(root, 'nested', 'n.txt'), 'n\n')
    const { agent, told, outputs } = inCopy(root, [command('find . -type f; echo two > a.txt')])
    await using _ = agent
    await agent.chat('Go')
    expect(told()[0]?.hint).toContain('Not in the copy, as repositories of their own (submodules): nested, vendor/lib')
    expect(outputs()).not.toMatch(/lib\.txt|n\.txt/)
    expect(told()[0]?.data.changes).toEqual([{ path: 'a.txt', change: 'modify' }])
  })

  it('takes no folder in the place of a file for a repository of its own', async () => {
    const root = repository({ 'a.txt': 'one\n', 'f': 'file\n' })
    rmSync(join(root, 'f'))
    writeTree(root, { 'f/y': 'in the folder\n' })
    const { agent, told, outputs } = inCopy(root, [command('cat f/y; echo two > a.txt')])
    await using _ = agent
    await agent.chat('Go')
    expect(outputs()).toContain('in the folder')
    expect(told()[0]).toMatchObject({ success: true, data: { changes: [{ path: 'a.txt', change: 'modify' }] } })
    expect(told()[0]?.hint).toBeUndefined()
  })

  it('has a link to a folder as it is, also where the index lists what was below', async () => {
    const root = repository({ 'a.txt': 'one\n', 'd/x': 'gone\n', 'e/x': 'here\n' })
    rmSync(join(root, 'd'), { recursive: true })
    symlinkSync('e', join(root, 'd'))
    const { agent, told, outputs } = inCopy(root, [command('ls -l d; cat d/x; echo two > d/x')])
    await using _ = agent
    await agent.chat('Go')
    expect(outputs()).toMatch(/d -> e[^]*here/)
    expect(told()[0]?.data.changes).toEqual([{ path: 'e/x', change: 'modify' }])
    expect(told()[1]).toMatchObject({ success: true })
  })

  it('neither has nor changes what lies behind a link to another directory that is allowed', async () => {
    const root = repository({ 'a.txt': 'one\n', 'd/x': 'gone\n' })
    const allowed = tempDir()
    writeTree(allowed, { x: 'of another directory\n' })
    rmSync(join(root, 'd'), { recursive: true })
    symlinkSync(allowed, join(root, 'd'))
    const { agent, told, outputs } = inCopy(root, [
      command('ls -A; mkdir -p d; cat d/x; echo new > d/x; echo new > d/y; echo two > a.txt'),
    ], { allow: [allowed] })
    await using _ = agent
    await agent.chat('Go')
    expect(outputs()).not.toContain('of another directory')
    expect(told()[0]).toMatchObject({
      hint: expect.stringContaining('links that lead out of the project: d') as unknown,
      data: {
        changes: [{ path: 'a.txt', change: 'modify' }],
        left_out: ['d/x: a folder above it is a link', 'd/y: a folder above it is a link'],
      },
    })
    expect(told()[1]).toMatchObject({ success: true, data: { files: ['a.txt'] } })
    expect(readFileSync(join(allowed, 'x'), 'utf8')).toBe('of another directory\n')
    expect(existsSync(join(allowed, 'y'))).toBe(false)
  })

  it('has files of Git LFS as they are in the tree, and runs no filter for them', async () => {
    const root = repository({ '.gitattributes': '*.bin filter=lfs -text\n', 'a.bin': 'content of the large file\n' })
    git(root, 'config', 'filter.lfs.clean', `touch '${join(root, '.git', 'ran')}'; cat`)
    git(root, 'config', 'filter.lfs.smudge', `touch '${join(root, '.git', 'ran')}'; cat`)
    const { agent, outputs, told } = inCopy(root, [command('cat a.bin; printf "\\000" >> a.bin')])
    await using _ = agent
    await agent.chat('Go')
    expect(outputs()).toContain('content of the large file')
    expect(told()[1]).toMatchObject({ success: true })
    expect(existsSync(join(root, '.git', 'ran'))).toBe(false)
    expect(readFileSync(join(root, 'a.bin'), 'latin1')).toBe('content of the large file\n\0')
  })

  it('of a directory in it has that alone', async () => {
    const top = repository({ 'top.txt': 'top\n', 'part/a.txt': 'one\n' })
    const { agent, told, outputs } = inCopy(join(top, 'part'), [command('ls; echo two > a.txt')])
    await using _ = agent
    await agent.chat('Go')
    expect(outputs()).not.toContain('top.txt')
    expect(told()[1]).toMatchObject({ success: true })
    expect(readFileSync(join(top, 'part', 'a.txt'), 'utf8')).toBe('two\n')
  })
})

describe('a copy', () => {
  it('without git has all but what ignore files name, and folders that tools fill', async () => {
    const root = tempDir()
    writeTree(root, { 'a.txt': 'one\n', '.gitignore': 'b.txt\n', 'b.txt': 'x\n', 'node_modules/m/i.js': 'x\n', '.hermes/x': 'x' })
    const { agent, outputs } = inCopy(root, [command('find . -type f -not -path "./.hermes/*" | sort')])
    await using _ = agent
    await agent.chat('Go')
    expect(outputs()).toContain('./.gitignore\\n./a.txt\\n')
    expect(outputs()).not.toMatch(/b\.txt|i\.js/)
  })

  it('is bound by the policy of the project, also where it stands above', async () => {
    const top = tempDir()
    writeTree(top, {
      '.git/HEAD': 'ref: refs/heads/main\n', 'part/hermes.yaml': 'deny:\n  - secret/**\n', 'hermes.yaml': 'verbs:\n  exec: off\n',
      'part/a.txt': 'one\n', 'part/secret/s.txt': 'secret\n',
    })
    const { agent, requests } = inCopy(join(top, 'part'), [
      command('touch ran'), ['write_file', { path: 'secret/made', content: 'x', create_directories: true }],
      ['read_file', { path: 'hermes.yaml' }],
    ], { policy: {} })
    await using _ = agent
    await agent.chat('Go')
    const codes = toldOf(requests('work')[1]).map(({ code }) => code)
    expect(codes).toEqual(['UNKNOWN_ACTION', 'POLICY_DENIED', 'POLICY_DENIED'])
  })

  it('is worked in where the roots of the user hold the project alone', async () => {
    const root = tempDir()
    writeTree(root, { 'a.txt': 'one\n' })
    const { agent, told } = inCopy(root, [['edit_replace', { path: 'a.txt', old_text: 'one', new_text: 'two' }]], {
      policy: { roots: [root] },
    })
    await using _ = agent
    await agent.chat('Go')
    expect(told()[1]).toMatchObject({ success: true, data: { files: ['a.txt'] } })
  })

  needing('bubblewrap').it('is all that its commands reach of the project', async () => {
    const root = tempDir()
    writeTree(root, { 'a.txt': 'one\n', '.env': 'secret\n' })
    const real = `$(echo ${Buffer.from(root).toString('base64')} | base64 -d)`
    const { agent, outputs, told } = inCopy(root, [
      command(`pwd; ls -A ${real}; cat ${real}/.env; echo x > ${real}/b.txt; echo two > a.txt; exit 0`),
    ], { sandbox: 'bwrap' })
    await using _ = agent
    await agent.chat('Go')
    expect(outputs()).toContain(root)
    expect(outputs()).not.toContain('secret')
    expect(told()[0]?.data.changes).toEqual([{ path: 'a.txt', change: 'modify' }])
    expect(existsSync(join(root, 'b.txt'))).toBe(false)
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two\n')
  })

  it('of a process that was killed is removed by the next one', async () => {
    const gone = processMark().replace(/-\d+-\d+$/, '-99999999-1')
    const left = mkdtempSync(join(tmpdir(), `hermes-delegate-${gone}-`))
    writeFileSync(join(left, 'x'), 'x')
    const root = tempDir()
    const { agent } = inCopy(root, [])
    await using _ = agent
    await agent.chat('Go')
    expect(existsSync(left)).toBe(false)
    expect(copiesLeft()).toEqual([])
  })

  it('is gone when the agent is disposed of in the midst of the work', async () => {
    const root = tempDir()
    writeTree(root, { 'a.txt': 'one\n' })
    const seen: string[][] = []
    const playing = agentWithDelegates(agents, [say('', ['delegate', { task: 'work', mode: 'copy' }])], {
      work: [say('', command('sleep 60')), say('Never.')],
    }, { root })
    const working = playing.agent.chat('Go').catch((error: unknown) => error)
    agents.server.improvise(playing.model, (request) => {
      const isDelegate = request.messages[0]?.content?.includes('You are a delegate') === true
      if (!isDelegate) return say('', ['delegate', { task: 'work', mode: 'copy' }])
      seen.push(copiesLeft())
      setTimeout(() => void playing.agent[Symbol.asyncDispose](), 50)
      return say('', command('sleep 60'))
    })
    expect(await working).toMatchObject({ code: 'CANCELLED' })
    await playing.agent[Symbol.asyncDispose]()
    expect(seen).toEqual([[expect.stringContaining('hermes-delegate-')]])
    expect(copiesLeft()).toEqual([])
  })
})
