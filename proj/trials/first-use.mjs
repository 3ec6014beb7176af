/**
 * First use: in a fresh clone, types what docs/getting-started.md says in a real terminal (tmux), and looks whether
 * each screen is as the page shows it. `…` on the page stands for any text, and times, run ids and addresses are not
 * compared.
 *
 *   npm run trial:first-use -- [--dist DIR]
 *
 * Installs the clone with `npm ci`; with `--dist DIR` nothing is installed,
 * and `npx hermes` is the program that was built there.
 * Prints figures as JSON: per task whether its screen was as shown. Without tmux it prints why it was skipped, and
 * without bubblewrap it leaves out the tasks of the section "With commands".
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { dist: { type: 'string' }, write: { type: 'boolean', default: false } } })
const repository = fileURLToPath(new URL('../..', import.meta.url))
const MOST_MS = 300_000
/** By the headings of the page. */
const TASKS = {
  'Look first': 'dry run', 'Run it': 'apply', 'Take it back': 'undo', 'Look in the browser, then run': 'review',
  'Mend what failed': 'feedback', 'Apply the second answer': 'mended', 'Run the tests': 'tests',
  'Replay what was recorded': 'replay',
}
/** Headings of tasks that run commands: those take the sandbox. */
const WITH_COMMANDS = ['Run the tests', 'Replay what was recorded']

if (spawnSync(
  'tmux', ['-V'],
).status !== 0) process.stdout.write(`${JSON.stringify({ skipped: 'tmux is not installed' })}\n`)
else process.exitCode = await tryAll()

async function tryAll() {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-first-use-'))
  const clone = join(directory, 'hermes')
  const tmux = (...args) =>
    execFileSync('tmux', ['-S', join(directory, 'tmux'), ...args], { encoding: 'utf8', env: environment(directory) })
  const clean = () => {
    spawnSync('tmux', ['-S', join(directory, 'tmux'), 'kill-server'])
    // What just ended may still write.
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      clean()
      process.exit(130)
    })
  }
  try {
    execFileSync('git', ['clone', '-q', repository, clone])
    if (values.dist === undefined) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: clone, stdio: ['ignore', 'ignore', 'inherit'],
    })
    else standIn(join(directory, 'bin'), resolve(values.dist))
    writeFileSync(join(directory, 'bashrc'), "PS1='ready$ '\n")
    tmux(
      '-f', '/dev/null', 'new-session', '-d', '-x', '200', '-y', '200', '-c', clone,
      `bash --rcfile ${join(directory, 'bashrc')}`,
    )
    const tasks = {}
    const hasSandbox = spawnSync('bwrap', ['--version']).status === 0
    for (const { title, command, shown } of tasksOf(readFileSync(join(clone, 'docs', 'getting-started.md'), 'utf8'))) {
      const isSkipped = WITH_COMMANDS.includes(title) && !hasSandbox
      tasks[TASKS[title]] = isSkipped ? { skipped: 'bubblewrap is not installed' } : await tried(tmux, command, shown)
    }
    const untried = Object.keys(TASKS).length - Object.keys(tasks).length
    const wrong = untried + Object.values(tasks).filter(({ asShown }) => asShown === false).length
    const figures = { installed: values.dist === undefined ? 'npm ci' : 'dist', tasks, wrong }
    process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
    if (values.write) {
      writeFileSync(new URL('results/first-use.json', import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
    }
    return wrong === 0 ? 0 : 1
  } finally {
    clean()
  }
}

/** A home of its own; npm keeps its settings. */
function environment(directory) {
  const home = join(directory, 'home')
  mkdirSync(home, { recursive: true })
  return {
    HOME: home, PATH: `${join(directory, 'bin')}:${process.env.PATH}`, LANG: 'C.UTF-8', TERM: 'xterm-256color',
    npm_config_userconfig: join(homedir(), '.npmrc'), npm_config_yes: 'true', npm_config_loglevel: 'error',
  }
}

function standIn(bin, dist) {
  const program = join(dist, 'cli.cjs')
  if (!existsSync(program)) throw new Error(`${program} is not there: npm run build`)
  mkdirSync(bin)
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(join(bin, 'npx'), 0o755)
}

/** Each section of the example with its commands and the screen below them. */
function tasksOf(page) {
  return page.split(/^## What an answer can call$/m)[0].split(/^### /m).slice(1).map((section) => {
    const [title = ''] = section.split('\n')
    const [, command, shown] = /```sh\n([^]*?)\n```\n\n```text\n([^]*?)\n```/.exec(section) ?? []
    if (!(title in TASKS) || command === undefined) throw new Error(`A section without a task: ${title}`)
    return { title, command, shown }
  })
}

async function tried(tmux, command, shown) {
  const startedAt = performance.now()
  for (const line of command.split('\n')) {
    tmux('send-keys', 'clear', 'Enter')
    await screenOnce(tmux, (screen) => screen === 'ready$')
    tmux('send-keys', '-l', line)
    tmux('send-keys', 'Enter')
    // A review waits for its user.
    if (line.includes(' review ')) {
      await screenOnce(tmux, (screen) => screen.includes('Ctrl-C'))
      tmux('send-keys', 'C-c')
    }
    await screenOnce(tmux, (screen) => screen !== 'ready$' && screen.endsWith('\nready$'))
  }
  const screen = tmux('capture-pane', '-p', '-J').trimEnd().split('\n').slice(1, -1).map((line) => line.trimEnd())
    .join('\n')
  const asShown = patternOf(shown).test(settled(screen))
  return { asShown, ms: Math.round(performance.now() - startedAt), ...(!asShown && { screen }) }
}

async function screenOnce(tmux, isSo) {
  const lateAt = performance.now() + MOST_MS
  for (;;) {
    const screen = tmux('capture-pane', '-p', '-J').trimEnd()
    if (isSo(screen)) return
    if (performance.now() > lateAt) throw new Error(`It did not come about. Seen:\n${screen}`)
    await sleep(50)
  }
}

function settled(text) {
  return text.replaceAll(/\d+\.\d\d s$/gm, 'TIME').replaceAll(/\d{8}T\d{9}Z-[0-9a-f]{6}/g, 'RUN')
    .replaceAll(/127\.0\.0\.1:\d+\/#[\w…-]+/g, 'ADDRESS')
}

/** A line `…` stands for any lines, or none. */
function patternOf(shown) {
  const lines = settled(shown).split('\n')
    .map((line) => (line === '…' ? '(?:.*\n)*?' : `${line.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}\n`))
  return { test: (screen) => new RegExp(`^${lines.join('')}$`).test(`${screen}\n`) }
}
