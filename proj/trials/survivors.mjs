/**
 * Starts commands whose processes leave their group, daemonise, ignore signals, clear their environment and fork on,
 * ends them by the time limit, by cancelling, or by their own end, and looks for what is left in /proc.
 *
 * Usage: node proj/trials/survivors.mjs [--runs N] [--seed N] [--seconds N] [--sandbox bwrap|none] [--write]
 */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { removeSync } from 'fs-extra/esm'
import { Hermes } from '../../dist/index.js'
import { randomFrom } from './random.mjs'

const RESULTS = new URL('./results/survivors.json', import.meta.url)
/** `WAIT` is a process that waits for five minutes and can be told by its arguments. */
const TREES = {
  child: 'WAIT & ',
  'double fork': '(WAIT & ) & ',
  session: 'setsid WAIT & ',
  daemon: '(setsid sh -c "(WAIT >/dev/null 2>&1 &)" &) ; ',
  'daemon without environment': '(env -i setsid /bin/sh -c "(WAIT >/dev/null 2>&1 </dev/null &)" &) ; ',
  'daemon that ignores SIGTERM': `(setsid sh -c 'trap "" TERM HUP; while :; do WAIT; done' >/dev/null 2>&1 &) ; `,
  'daemon of a daemon': '(setsid sh -c "(setsid sh -c \\"(WAIT &)\\" &)" >/dev/null 2>&1 &) ; ',
  'forks on and on': `(setsid sh -c 'while :; do (WAIT &); sleep 0.05; done' >/dev/null 2>&1 &) ; `,
  'stopped daemon': `(setsid sh -c 'WAIT & kill -STOP $$' >/dev/null 2>&1 &) ; `,
}
/** Without a namespace nothing tells whose these are. */
const NEEDS_NAMESPACE = ['daemon without environment']
const ENDS = ['timeout', 'cancel', 'end', 'signal']

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '3600' },
    sandbox: { type: 'string', default: 'bwrap' },
    write: { type: 'boolean', default: false },
  },
})
const names = Object.keys(TREES).filter((name) => values.sandbox !== 'none' || !NEEDS_NAMESPACE.includes(name))
const random = randomFrom(Number(values.seed))
const deadline = performance.now() + Number(values.seconds) * 1000
const figures = {
  seed: Number(values.seed),
  sandbox: values.sandbox,
  runs: 0,
  trees: {},
  ends: {},
  begun: 0,
  survivors: 0,
  surviving: {},
}

for (let run = 0; run < Number(values.runs) && performance.now() < deadline; run++) await trial(run)
console.log(JSON.stringify(figures, null, 2))
if (values.write) writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`)
process.exitCode = figures.survivors === 0 && figures.begun > 0 ? 0 : 1

async function trial(run) {
  figures.runs++
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-survivors-')))
  // The fraction of the seconds names the run.
  const mark = `300.${process.pid}${String(run).padStart(4, '0')}`
  const chosen = names.filter(() => random() < 0.3)
  if (chosen.length === 0) chosen.push(names[run % names.length])
  const end = ENDS[Math.floor(random() * ENDS.length)]
  const begin = chosen.map((name) => TREES[name].replaceAll('WAIT', `sleep ${mark}`)).join('')
  const last = { end: 'sleep 0.2', signal: 'sleep 0.2; kill -KILL $$' }[end] ?? 'sleep 60'
  const controller = new AbortController()
  const hermes = new Hermes({
    root,
    policy: false,
    sandbox: values.sandbox,
    gitCommit: false,
    signal: controller.signal,
    approve: () => 'once',
    ...(end === 'timeout' && { timeoutMs: 100 + Math.floor(random() * 400) }),
  })
  try {
    const running = hermes.execute(
      toolCall('execute_command', { command: `${begin}touch begun; ${last}` }),
    )
    if (end === 'cancel') {
      await sleep(50 + random() * 400)
      controller.abort()
    }
    await running
    if (readdirSync(root).includes('begun')) figures.begun++
    // What a command that ended by itself left running goes on until the task ends.
    if (values.sandbox !== 'none' && (end === 'end' || end === 'signal')) await hermes[Symbol.asyncDispose]()
    const left = livingWith(mark)
    for (const name of chosen) figures.trees[name] = (figures.trees[name] ?? 0) + 1
    figures.ends[end] = (figures.ends[end] ?? 0) + 1
    if (left.length > 0) {
      figures.survivors++
      for (const name of chosen) figures.surviving[name] = (figures.surviving[name] ?? 0) + 1
      console.error(`run ${run} (${chosen.join(', ')}; ${end}): ${left.length} left`)
      for (const pid of left) process.kill(pid, 'SIGKILL')
    }
  } finally {
    await hermes[Symbol.asyncDispose]()
    removeSync(root)
  }
}

/** Processes with the mark in their arguments; those that only wait to be reaped have none. */
function livingWith(mark) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark)
      } catch (error) {
        if (error.code === 'ENOENT' || error.code === 'ESRCH' || error.code === 'EACCES') return false
        throw error
      }
    })
}

function toolCall(name, args) {
  return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
}
