import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import * as v from 'valibot'
import { DEFAULT_LIMITS, DEFAULT_POLICY } from '../../../2-config/src/config/index.js'
import {
  type AnyVerb, HermesError, type Limits, type SandboxMode, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { DiskFiles } from '../../../2-files/src/store/index.js'
import { createSandbox } from '../../../2-sandbox/src/index.js'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import { markedProcesses } from '../../../../test/support/marked-processes.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { exec } from '../../src/exec/exec.js'
import { procRun } from '../../src/exec/proc-run.js'

export interface ExecOutput {
  stdout: string
  stderr: string
  exit_code: number
}

export interface ProgramOutput {
  exitCode: number | null
  stdoutPath: string
  stderrPath: string
}

export interface ExecSetup {
  root?: string
  limits?: Partial<Limits>
  signal?: AbortSignal
  aliases?: readonly string[]
  /** Default `none`: most of what is tried is the same there, and runs on any machine. */
  mode?: SandboxMode
}

/** What commands in a sandbox of this mode need. */
export const NEEDS = { auto: ['bubblewrap'], unshare: ['namespaces'], none: [] } as const

const LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  maxFileBytes: 10 * 2 ** 20, maxOutputBytes: 2 ** 20, commandTimeoutMs: 20_000, maxCommandTimeoutMs: 20_000,
  maxMatches: 10_000,
}

/** Runs `exec`, with the real gate and the real disk, in a temporary root unless told otherwise. */
export async function runExec(args: v.InferInput<typeof exec.args>, setup: ExecSetup = {}): Promise<ExecOutput> {
  return run(exec, args, setup) as Promise<ExecOutput>
}

/** Runs `proc.run` likewise. */
export async function runProgram(executable: string, args: string[], setup?: ExecSetup): Promise<ProgramOutput> {
  return await run(procRun, { executable, arguments: args }, setup) as ProgramOutput
}

/** The same for any verb. */
export async function run(verb: AnyVerb, args: unknown, setup: ExecSetup = {}): Promise<unknown> {
  const root = setup.root ?? tempDir()
  const context: VerbContext = {
    gate: createPathGate({ root, aliases: setup.aliases ?? [] }),
    files: new DiskFiles(),
    session: { root, context: new Map() },
    limits: { ...LIMITS, ...setup.limits },
    policy: DEFAULT_POLICY,
    runId: 'test',
    sandbox: createSandbox({ root, mode: setup.mode ?? 'none', passes: name => name.startsWith('HERMES_TEST_') }),
    dryRun: false,
    ui: undefined,
    // What looks dangerous is not what is tried here.
    approve: async ({ kind }) => (kind === 'dangerous' ? 'granted' : 'unavailable'),
    signal: setup.signal ?? new AbortController().signal,
  }
  const parsed = v.parse(verb.args, args) as never
  verb.check?.(parsed)
  return v.parse(verb.result, await verb.handler(parsed, context))
}

export interface Failure<Data> {
  code: string
  message: string
  hint: string | undefined
  data: Data | undefined
}
export type ExecFailure = Failure<ExecOutput>

/** The error a run ends with; fails when it ends well. */
export async function failExec(...[args, setup]: Parameters<typeof runExec>): Promise<ExecFailure> {
  return fail<ExecOutput>(exec, args, setup)
}

export async function fail<Data>(...input: Parameters<typeof run>): Promise<Failure<Data>> {
  try {
    await run(...input)
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    const { code, message, hint } = error
    return { code, message, hint, data: error.data as Data | undefined }
  }
  throw new Error('the verb succeeded')
}

/** Marks every process started from now to the end of the test; the result lists those that still live. */
export function markProcesses(): () => string[] {
  const mark = `HERMES_TEST_MARK=${randomUUID()}`
  process.env['HERMES_TEST_MARK'] = mark.slice(mark.indexOf('=') + 1)
  onTestFinished(() => {
    delete process.env['HERMES_TEST_MARK']
  })
  return () => markedProcesses(mark)
}
