/**
 * Programs of every name that hermes starts, planted where runs write and where PATH looks first: none of them runs
 * outside of a sandbox. Which names these are is seen by `strace`, where there is one.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isCampaign } from '../support/campaign.js'
import { command, Stage } from './stage.js'

const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url))

/** Whatever hermes, git or a shell might be asked for on some machine. */
const NAMES = [
  'bash', 'bwrap', 'cat', 'df', 'docker', 'editor', 'env', 'git', 'git-lfs', 'gpg', 'gpgsm', 'head', 'hostname', 'less',
  'lsb_release', 'lsblk', 'mount', 'node', 'npm', 'npx', 'pager', 'prlimit', 'ps', 'python', 'python3', 'rg', 'ruby',
  'sandbox-exec', 'sed', 'setpriv', 'sh', 'singularity', 'ssh', 'ssh-keygen', 'stty', 'termux-clipboard-get', 'tty',
  'uname', 'unshare', 'which', 'wl-copy', 'wl-paste', 'xclip', 'xdg-open', 'xsel',
]
const DIRECTORIES = ['node_modules/.bin', '.venv/bin', 'tools', '.']

const ANSWER = [
  '<tool_call>{"name": "sys.machineInfo", "arguments": {}}</tool_call>',
  '<tool_call>{"name": "git_status", "arguments": {}}</tool_call>',
  '<tool_call>{"name": "git_diff", "arguments": {}}</tool_call>',
  '<tool_call>{"name": "git_log", "arguments": {}}</tool_call>',
  '<tool_call>{"name": "fs.writeFile", "arguments": {"path": "file.txt", "content": "changed"}}</tool_call>',
  '<tool_call>{"name": "git_commit", "arguments": {"message": "x", "all": true}}</tool_call>',
].join('\n')

/** One after the other, in one repository. */
const CALLS: readonly (readonly string[])[] = [
  ['doctor'], ['apply', 'answer.txt', '--yes'], ['apply', 'command.txt', '--yes'], ['log'], ['undo'], ['redo'],
  ['recover'], ['step-back'], ['step-forward'], ['squash'], ['status'], ['tools', 'doctor'], ['update', '--check'],
  ['apply', '--clipboard', '--yes'], ['config', 'edit', '--project'], ['apply', 'answer.txt', '--dry-run'],
]
const QUICK = new Set(['doctor', 'apply answer.txt --yes', 'undo', 'step-back', 'apply --clipboard --yes', 'config edit --project'])
const chosen = CALLS.filter((call) => isCampaign || QUICK.has(call.join(' ')))

/** The calls in a fresh project; `within` goes before each. @returns exit codes by the call */
function play(planted: readonly string[], within: readonly string[] = []) {
  const stage = new Stage()
  stage.plant('project/answer.txt', ANSWER)
  stage.plant('project/command.txt', command('true'))
  stage.handOver()
  stage.git('init', '-q')
  stage.git('add', '-A')
  for (const message of ['one', 'two']) stage.git('commit', '-qm', message, '--allow-empty')
  const mark = join(stage.outside, 'planted')
  for (const directory of DIRECTORIES) {
    for (const name of planted) stage.plant(`project/${directory}/${name}`, `#!/bin/sh\necho "$0 $*" >> ${mark}\nexit 1\n`, 0o755)
  }
  stage.plant('project/.git/info/exclude', `${DIRECTORIES.map((name) => `/${name}/`).join('\n')}\n${planted.map((name) => `/${name}`).join('\n')}\n`)
  stage.handOver()
  const first = DIRECTORIES.flatMap((name) => [name, join(stage.root, name)])
  const PATH = [...first, '', stage.env['PATH']].join(':')
  const user = process.getuid?.() === 0 && canRun() ? { uid: 65534, gid: 65534 } : {}
  const codes = chosen.map((call) => {
    const [program = '', ...args] = [...within, process.execPath, CLI, ...call]
    const { status, signal } = spawnSync(program, args, {
      ...user, cwd: stage.root, input: '', encoding: 'utf8',
      env: { ...stage.env, PATH, EDITOR: 'true', DISPLAY: ':99', VIRTUAL_ENV: join(stage.root, '.venv') },
    })
    return [call.join(' '), signal ?? status]
  })
  return { codes: Object.fromEntries(codes) as Record<string, unknown>, ran: stage.read('outside/planted') }
}

/** Whether another user may start this hermes at all. */
function canRun(): boolean {
  return spawnSync(process.execPath, [CLI, '--version'], { uid: 65534, gid: 65534, cwd: '/', env: {} }).status === 0
}

/** The names of all programs that were started, or looked for. */
function observed(): string[] {
  const strace = ['/usr/bin/strace', '/usr/local/bin/strace'].find((file) => spawnSync(file, ['-V']).status === 0)
  if (strace === undefined) return []
  const trace = join(new Stage().outside, 'trace')
  writeFileSync(trace, '', { mode: 0o666 })
  play([], [strace, '-f', '-qq', '-A', '-e', 'trace=execve', '-s', '4096', '-o', trace])
  const names = [...readFileSync(trace, 'latin1').matchAll(/execve\("([^"]+)"/g)].map(([, file = '']) => basename(file))
  return [...new Set(names)].filter((name) => /^[\w.+-]+$/.test(name))
}

describe.skipIf(process.platform !== 'linux')('programs planted where PATH looks first', () => {
  it('do not run outside of a sandbox, whatever hermes is asked to do', () => {
    const names = [...new Set([...NAMES, ...isCampaign ? observed() : []])]
    const { codes, ran } = play(names)
    expect(ran).toBe('')
    // Each did what it does without the plants, but for commands in the sandbox, which look there first.
    const { codes: plain } = play([])
    for (const call of chosen.filter(([, file]) => file !== 'command.txt')) expect([call, codes[call.join(' ')]]).toEqual([call, plain[call.join(' ')]])
    expect(codes['undo']).toBe(0)
  }, 300_000)
})
