import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { OutputEnd, ProcessGroup, type Excess } from '../command-processes/index.js'
import type { ConfinedProgram, SandboxName, VerbContext } from '../../../0-contracts/src/index.js'
import {
  firstStop, furtherPipes, giveInputs, HAS_GROUPS, nestedRun, start, whenAborted, type StartedProgram,
} from '../../../2-processes/src/index.js'

/** How long to wait for output after the program itself is gone, in milliseconds. */
const DRAIN_MS = 500

/** Takes one output stream, chunk by chunk; must not throw. */
export interface OutputSink {
  push(chunk: Uint8Array): void
}

export interface ProcessRun {
  program: ConfinedProgram
  /** The run of hermes it belongs to: recovery uses it to find processes that outlive a killed hermes. */
  runId: string
  timeoutMs: number
  signal: AbortSignal
  /** Called with the process group that the program leads; not on Windows, which has none. */
  noteProcess?: ((pid: number) => void) | undefined
  /** Called with the end of its output, while it runs. */
  printing?: VerbContext['printing']
}

export interface ProcessOutputs {
  stdout: OutputSink
  stderr: OutputSink
  /** Aborted by a sink that is full. */
  enough?: AbortSignal
}

export interface ProcessOutcome {
  /** `null` if a signal ended it. */
  exitCode: number | null
  exitSignal: NodeJS.Signals | null
  /** Why hermes stopped it; `undefined` if it ended by itself. */
  stopped: 'timeout' | 'cancelled' | 'output' | Excess | undefined
  sandbox: SandboxName
  /** As in `ConfinedProgram`. */
  explain: ConfinedProgram['explain']
  /** As in `ConfinedProgram`. */
  reached?: ConfinedProgram['reached']
}

/**
 * Runs one program, with stdin closed, in a process group of its own. Whenever it ends, the rest of its group is ended
 * too (on Linux also processes that left the group; in a sandbox with its own process namespace, all of its processes),
 * so that background processes neither block the run nor outlive it. In the namespaces of a task, processes left
 * running by a program that ended by itself go on; their further output is discarded.
 *
 * @throws Node's error when the program cannot be started (`ENOENT`, `EACCES`, …), and the sandbox's error about what
 * it did with access opened to it
 */
export async function runProcess(run: ProcessRun, outputs: ProcessOutputs): Promise<ProcessOutcome> {
  const end = run.printing && new OutputEnd(run.printing)
  try {
    const outcome = await runAndEnd(run, end ? bothTo(outputs, end) : outputs)
    await run.program.settle?.()
    return outcome
  } finally {
    run.program.release?.()
    end?.end()
  }
}

function bothTo({ stdout, stderr, ...rest }: ProcessOutputs, end: OutputEnd): ProcessOutputs {
  const both = (sink: OutputSink): OutputSink => {
    const tell = end.stream()
    return {
      push(chunk) {
        sink.push(chunk)
        tell(chunk)
      },
    }
  }
  return { stdout: both(stdout), stderr: both(stderr), ...rest }
}

async function runAndEnd(run: ProcessRun, outputs: ProcessOutputs): Promise<ProcessOutcome> {
  const { program } = run
  const mark = randomUUID()
  const child = await start({
    program: program.file, args: program.args, cwd: program.cwd, leadsGroup: true, mayBeScript: true,
    stdio: [program.holdsStdin ? 'pipe' : 'ignore', 'pipe', 'pipe', ...furtherPipes(program)],
    isVerbatim: program.isVerbatim, env: { ...program.env, HERMES_RUN: nestedRun(`${run.runId}:${mark}`) },
  })
  child.output.on('data', (chunk: Buffer) => outputs.stdout.push(chunk))
  child.errors.on('data', (chunk: Buffer) => outputs.stderr.push(chunk))
  giveInputs(program, child.stdio)
  if (HAS_GROUPS) run.noteProcess?.(child.pid)
  const drained = Promise.all([ended(child.output), ended(child.errors)])
  const group = new ProcessGroup(child.pid, program, mark, child.stdio)

  const { enough } = outputs
  const stopped = await firstStop<'output' | Excess>(child.exited, run, done => [
    group.exceeds(done), ...enough === undefined ? [] : [whenAborted(enough, done).then(() => 'output' as const)],
  ])
  if (stopped === undefined) await firstStop(drained, { timeoutMs: DRAIN_MS })
  await group.end(() => child.exit !== undefined, stopped !== undefined)
  if (stopped !== undefined) await program.end?.()
  await firstStop(Promise.all([child.exited, drained]), { timeoutMs: DRAIN_MS })
  if (program.shared === undefined || stopped !== undefined) child.closeStreams()
  else discardFurther(child)
  const { sandbox, explain, reached } = program
  return {
    exitCode: child.exit?.code ?? null, exitSignal: child.exit?.signal ?? null, stopped, sandbox, explain,
    ...(reached && { reached }),
  }
}

/** Most bytes discarded of the output of processes left running; then the pipe is closed. */
const MOST_DISCARDED = 64 * 2 ** 20

/**
 * Discards the output of processes left running: a server whose log cannot be written would fail at its next request.
 * This does not keep hermes from exiting.
 */
function discardFurther(child: StartedProgram): void {
  let bytes = 0
  for (const stream of [child.output, child.errors]) {
    stream.removeAllListeners('data')
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MOST_DISCARDED) child.closeStreams()
    })
  }
  child.letGo()
}

/** Resolves when the pipe is closed by all processes, or has broken. */
async function ended(stream: Readable): Promise<void> {
  await once(stream, 'close').catch(() => undefined)
}
