import { dirname } from 'node:path'
import { MessageChannel, Worker } from 'node:worker_threads'
import { HermesError, type ApprovedPath, type VerbContext } from '../../../../0-contracts/src/index.js'
import { addTo } from '../../../../0-text/src/index.js'
import {
  checkThread, type ChangedScript, type CheckAnswer, type CheckJob, type Outside, type ScriptProblem,
} from './check-thread.js'
import { GatedFiles } from './gated-files.js'
import { includedFiles } from './included-files.js'
import { typeScriptCode } from './load-typescript.js'
import { configsAbove } from './project.js'
import { sourcesBelow } from './sources-below.js'

/** Most files of a project for which all are checked, where a file's imports were not enough. */
const MOST_FILES = 2000
/** Memory limit of the thread, in MiB; a project that needs more is not checked. */
const MOST_MEMORY = 1024

/** New problems by file. */
export interface NewProblems {
  /** What happened to TypeScript, where the result is therefore not known. */
  unknown?: string
  problems: Map<string, ScriptProblem[]>
}

/**
 * Finds problems that TypeScript's language service reports in changed files and did not report before. It works in a
 * thread, which is terminated at the time limit. Files without a `tsconfig.json` or `jsconfig.json` above are left out,
 * and without an installed TypeScript nothing is found.
 *
 * @param scripts `.ts`, `.tsx`, `.js` and similar files
 * @param limitMs total time limit in milliseconds
 */
export async function newProblems(
  scripts: readonly (ChangedScript & { path: ApprovedPath })[], context: VerbContext, limitMs: number,
): Promise<NewProblems> {
  const nothing: NewProblems = { problems: new Map() }
  const late: NewProblems = { ...nothing, unknown: `was not done within ${limitMs / 1000} s` }
  const projects = projectsOf(scripts, context)
  const loaded = projects.length > 0 ? typeScriptCode() : undefined
  if (!loaded) return nothing
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(), limitMs)
  const signal = AbortSignal.any([context.signal, end.signal])
  try {
    const outside = await outsideOf(projects.map(({ config }) => config), { ...context, signal })
    const answer = await checked({ ...loaded, projects, mostFiles: MOST_FILES }, outside, signal)
    if (!answer) return late
    if (answer instanceof Error) return { ...nothing, unknown: `failed (${answer.message})` }
    return { problems: new Map(answer) }
  } catch (error) {
    // The time ran out while listing the project's files.
    if (error instanceof HermesError) return late
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function projectsOf(
  scripts: readonly (ChangedScript & { path: ApprovedPath })[], context: VerbContext,
): CheckJob['projects'] {
  const gated = new GatedFiles(context)
  const projects = new Map<string, ChangedScript[]>()
  for (const script of scripts) {
    const [config] = configsAbove(script.path, gated)
    if (config !== undefined) addTo(projects, config, script)
  }
  return [...projects].map(([config, own]) => ({ config, scripts: own }))
}

/** The functions through which the thread sees files that the path gate allows. @throws HermesError `CANCELLED` */
async function outsideOf(configs: readonly string[], context: VerbContext): Promise<Outside> {
  const gated = new GatedFiles(context)
  const below = new Map<string, string[]>()
  for (const config of configs) below.set(config, await sourcesBelow(dirname(config) as ApprovedPath, context))
  const { readFile, fileExists, directoryExists, getDirectories, realpath } = gated
  return {
    readFile, fileExists, directoryExists, getDirectories, realpath,
    readDirectory: (config, start, extensions, excludes, includes) => (
      includedFiles(below.get(config) ?? [], start, { extensions, excludes, includes })
    ),
  }
}

/** @returns `undefined` where the thread was terminated; an error where TypeScript ended it, as without memory */
async function checked(
  job: Omit<CheckJob, 'questions' | 'answered'>, outside: Outside, signal: AbortSignal,
): Promise<CheckAnswer | Error | undefined> {
  if (signal.aborted) return undefined
  const { port1: questions, port2: thread } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(`(${checkThread.toString()})(require)`, {
    eval: true, env: {}, execArgv: [], workerData: { ...job, questions: thread, answered }, transferList: [thread],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
  })
  questions.on('message', ([name, ...args]: [keyof Outside, ...unknown[]]) => {
    let answer: unknown
    try {
      answer = (outside[name] as (...given: unknown[]) => unknown)(...args)
    } catch (error) {
      // The run was cancelled, so end the thread; still answer its request.
      if (!(error instanceof HermesError)) void worker.terminate()
    }
    questions.postMessage(answer, [])
    Atomics.store(answered, 0, 1)
    Atomics.notify(answered, 0)
  })
  try {
    return await new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
      worker.once('message', (answer: CheckAnswer) => resolve(answer))
      worker.once('error', resolve)
      worker.once('exit', () => resolve(undefined))
    })
  } finally {
    questions.close()
    await worker.terminate()
  }
}
