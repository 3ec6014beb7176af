import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { needing } from '../../../test/support/needs.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { answerOfYes, type ApprovalKind } from '../../0-contracts/src/index.js'
import { consentOptions } from '../src/io/consent-options.js'

const driver = fileURLToPath(new URL('drive-terminal.py', import.meta.url))
const cli = useCli()

type Step = readonly [waitFor: string, type: string]
interface Place { cwd: string; home: string }

/** A repository with an answer of one command. */
function workplace(command: string): Place {
  const [cwd, home] = [tempDir(), tempDir()]
  writeFileSync(join(cwd, 'file.txt'), 'one\n')
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = a\n\temail = a@example.org\n')
  const call = { name: 'execute_command', arguments: { command } }
  const place = { cwd, home }
  git(place, 'init', '-q', '-b', 'main')
  git(place, 'add', '.')
  git(place, 'commit', '-q', '-m', 'first')
  writeFileSync(join(cwd, 'answer.md'), `<tool_call>${JSON.stringify(call)}</tool_call>\n`)
  return place
}

function git({ cwd, home }: Place, ...args: string[]): string {
  return execFileSync('git', args, { cwd, env: { ...plainEnvironment(), HOME: home }, encoding: 'utf8' })
}

async function atTerminal({ cwd, home }: Place, steps: readonly Step[], flags: readonly string[] = []) {
  const env = { ...plainEnvironment(), NO_COLOR: '1', TERM: 'xterm', HOME: home }
  const program = [process.execPath, cli.path, 'apply', 'answer.md', ...flags]
  return new Promise<{ exit: number; output: string; left: Step[] }>((resolve, reject) => {
    execFile('python3', [driver, JSON.stringify(steps), ...program], { cwd, env }, (error, stdout) => {
      if (error) reject(error)
      else resolve(JSON.parse(stdout) as { exit: number; output: string; left: Step[] })
    })
  })
}

const WORK = 'echo again >> runs.txt; echo two >> file.txt; git tag made'

needing('bubblewrap').describe('a command that the sandbox stopped, at a terminal', () => {
  it('is shown with what stopped it and what each choice opens; one undo takes back both runs', async () => {
    const place = workplace(WORK)
    const { output, exit, left } = await atTerminal(place, [['deny) ', 'g\n']])
    expect([exit, left]).toEqual([0, []])
    const lines = output.split(/\r?\n/)
    const at = lines.indexOf('  | execute_command: the sandbox stopped it: .git is read-only')
    expect(lines[at - 1]).toContain('The sandbox stopped a command. It can run again:')
    expect(lines.slice(at + 1, at + 5)).toEqual([
      `  | ${WORK}`, 'It ran:', `  | in ${place.cwd}, in the sandbox bwrap, without the network`,
      'git: in the sandbox, with .git writable, but nothing that has git run programs',
    ])
    expect(lines[at + 5]).toBe('outside: without a sandbox: it can do whatever you can')
    expect(output).toContain('Open? [g]it outside (+ [s]ession, [a]lways) [d]eny (Enter: deny) g')
    expect(readFileSync(join(place.cwd, 'runs.txt'), 'utf8')).toBe('again\nagain\n')
    expect(git(place, 'tag')).toBe('made\n')
    expect(git(place, 'log', '--format=%s').split('\n')).toHaveLength(3)
    const undone = await cli.run(['undo'], { cwd: place.cwd, env: { HOME: place.home } })
    expect(undone.exitCode).toBe(0)
    expect(existsSync(join(place.cwd, 'runs.txt'))).toBe(false)
    expect(readFileSync(join(place.cwd, 'file.txt'), 'utf8')).toBe('one\n')
  })

  it('is committed on the branch that it went to', async () => {
    const place = workplace('echo two >> file.txt; git checkout -q -b topic')
    expect(await atTerminal(place, [['deny) ', 'git\n']])).toMatchObject({ exit: 0, left: [] })
    expect(git(place, 'log', '--format=%D').split('\n').slice(0, 2)).toEqual(['HEAD -> topic', 'main'])
    expect(git(place, 'status', '--porcelain')).toBe('?? answer.md\n')
  })

  it('takes no answer to another question for one to this, and tells the model why not', async () => {
    const place = workplace('git tag made')
    const { output, exit, left } = await atTerminal(place, [['deny) ', 'o\n'], ['deny) ', 'n\n'], ['deny) ', 'd\n'], ['nothing)? ', 'use git_commit\n']])
    expect([exit, left]).toEqual([1, []])
    expect(output.split(/\r?\n/).filter(line => line === 'Type d, or what to open: git, gs, outside, outside session, … (outside only as a whole word).')).toHaveLength(2)
    expect(output.replace(/\s+/g, ' ')).toContain('It was not allowed to run again with more access: use git_commit.')
    expect(git(place, 'tag')).toBe('')
  })

  it('is kept as that command where the user says always', async () => {
    const place = workplace('git tag "tag-$(git tag | wc -l)"')
    expect(await atTerminal(place, [['deny) ', 'ga\n']])).toMatchObject({ exit: 0, left: [] })
    expect(readFileSync(join(place.home, '.hermes', 'config.yaml'), 'utf8')).toContain(`execute_command in ${place.cwd}, with .git: git tag`)
    const second = await atTerminal(place, [])
    expect(second.exit).toBe(0)
    expect(second.output).not.toContain('The sandbox stopped')
    expect(git(place, 'tag')).toBe('tag-0\ntag-1\n')
  })

  it('is not asked about with --yes, and stays as it is', async () => {
    const place = workplace('git tag made')
    const { exit, output } = await atTerminal(place, [], ['--yes'])
    expect(exit).toBe(1)
    expect(output).not.toContain('Open?')
    expect(git(place, 'tag')).toBe('')
  })
})

describe('a yes given beforehand', () => {
  it('stands for the kinds it was given for, and for no other', async () => {
    const kinds = ['dangerous', 'policy', 'hooks', 'confirm', 'unsandboxed', 'escalation', 'later'] as ApprovalKind[]
    expect(kinds.map(kind => answerOfYes({ action: 'exec', reason: '', kind }))).toEqual([
      'once', 'once', 'once', 'once', undefined, 'deny', undefined,
    ])
    const reasons = [{ kind: 'policy', text: '' }, { kind: 'unsandboxed', text: '' }] as const
    expect(answerOfYes({ action: 'exec', reason: '', kind: 'policy', reasons })).toBeUndefined()
    const { approve } = consentOptions({ yes: true, usesStdin: true, signal: new AbortController().signal })
    await expect(approve?.({ action: 'exec', reason: '', kind: 'escalation', reasons: [], offers: ['network'] })).resolves.toBe('deny')
  })
})
