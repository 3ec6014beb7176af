import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { LinuxProcesses } from './linux-processes.js'
import { endProcessTree, HAS_GROUPS } from './process-tree.js'

/** How long output may still arrive after the program itself is gone, in milliseconds. */
const DRAIN_MS = 500
/** Longest delay Node's timers take, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
const IS_LINUX = process.platform === 'linux'

/** Takes one output stream, piece by piece; must not throw. */
export interface OutputSink {
  push(chunk: Uint8Array): void
}

export interface ProcessRun {
  file: string
  args: readonly string[]
  cwd: string
  /** On top of the inherited environment. */
  env?: Readonly<Record<string, string>> | undefined
  /** `args` are a Windows command line already and need no quoting. */
  isVerbatim?: boolean
  timeoutMs: number
  signal: AbortSignal
}

export interface ProcessOutputs {
  stdout: OutputSink
  stderr: OutputSink
  /** Aborted by a sink that takes no more. */
  enough?: AbortSignal
}

export interface ProcessOutcome {
  /** `null` when a signal ended it. */
  exitCode: number | null
  exitSignal: NodeJS.Signals | null
  /** Why it was stopped before its end. */
  stopped: 'timeout' | 'cancelled' | 'output' | undefined
}

/**
 * Runs one program without a shell: stdin closed, in a process group of its own, the environment inherited but for
 * FORCE_COLOR, and on Linux HERMES_RUN. When it ends, and whatever the reason, the rest of its group is ended too (on
 * Linux also what left the group), so that background processes neither hang the run nor outlive it.
 * @throws Node's error when the program cannot be started (`ENOENT`, `EACCES`, …)
 */
export async function runProcess(run: ProcessRun, outputs: ProcessOutputs): Promise<ProcessOutcome> {
  const { execa } = await import('execa')
  const mark = randomUUID()
  const child = execa(run.file, run.args, {
    cwd: run.cwd, stdin: 'ignore', buffer: false, reject: false, detached: HAS_GROUPS, encoding: 'buffer',
    windowsVerbatimArguments: run.isVerbatim ?? false,
    // The output is read by a model, whatever the terminal around hermes wants.
    env: { FORCE_COLOR: undefined, ...run.env, ...(IS_LINUX && { HERMES_RUN: nestedMark(mark) }) },
  })
  child.stdout.on('data', (chunk: Buffer) => outputs.stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => outputs.stderr.push(chunk))
  if (child.pid === undefined) throw (await child).cause
  const processes = IS_LINUX ? new LinuxProcesses(child.pid, mark) : undefined
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const drained = Promise.all([ended(child.stdout), ended(child.stderr)])

  const stopped = await firstStop(exited, run, outputs.enough)
  if (stopped === undefined) await within(drained, DRAIN_MS)
  await endProcessTree(child.pid, processes)
  await within(Promise.all([exited, drained]), DRAIN_MS)
  child.stdout.destroy()
  child.stderr.destroy()
  return { exitCode: child.exitCode, exitSignal: child.signalCode, stopped }
}

/** Keeps the marks of the runs around this one (hermes may run hermes), so that they find its processes too. */
function nestedMark(mark: string): string {
  const outer = process.env['HERMES_RUN']
  return outer === undefined ? mark : `${outer}:${mark}`
}

/** Resolves when no process holds the pipe any more, or it broke. */
async function ended(stream: Readable): Promise<void> {
  await once(stream, 'close').catch(() => undefined)
}

/** What comes first: the exit (`undefined`), the time limit, the abort, or too much output. */
async function firstStop(
  exited: Promise<void>, run: ProcessRun, enough: AbortSignal | undefined,
): Promise<ProcessOutcome['stopped']> {
  const done = new AbortController()
  const cancelled = whenAborted(run.signal, done.signal).then(() => 'cancelled' as const)
  const full = enough === undefined ? [] : [whenAborted(enough, done.signal).then(() => 'output' as const)]
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'timeout'>(resolve => {
    timer = setTimeout(() => resolve('timeout'), Math.min(run.timeoutMs, LONGEST_TIMER_MS))
  })
  try {
    return await Promise.race([exited.then(() => undefined), timeout, cancelled, ...full])
  } finally {
    clearTimeout(timer)
    done.abort()
  }
}

/** @param done ends the waiting */
function whenAborted(signal: AbortSignal, done: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { signal: done })
  })
}

async function within(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([promise, over])
  clearTimeout(timer)
}
