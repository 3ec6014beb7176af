import { join } from 'node:path'
import { writeOutput } from '../../../2-files/src/index.js'
import { caught, HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { RunOutput, settingsReader, type DecidingSettings, type RunAgain } from '../../../6-replay/src/index.js'
import type { BatchPlan, BatchRunner, PromptReport } from './batch-model.js'
import { readPrompts, type BatchPrompt } from './prompt-file.js'
import { toolsetsOf } from './run-prompt.js'
import { addReport, noStatistics, type BatchStatistics } from './statistics.js'

/** For messages about the directory. */
const WORDS = { who: 'batch', flag: '--out' }
const STATISTICS = 'statistics.json'
/**
 * Settings that older versions stored although they influence nothing: hermes' version, and whether dangerous commands
 * were approved.
 */
const NOT_DECIDING = ['hermes', 'yes']

export interface BatchOptions {
  /** JSONL. */
  file: string
  /** Where results are stored. */
  directory: string
  isResumed: boolean
  plan: BatchPlan
  /**
   * Called before running prompts again whose earlier results no longer count. Rejects if they must not run. Default:
   * they run.
   */
  confirmAgain?: (again: readonly RunAgain[]) => Promise<void>
  /** Called once this process has locked the directory. */
  openRunner(): Promise<BatchRunner>
  /** When aborted, no further prompt is started, and interrupted ones are not stored. */
  signal: AbortSignal
  onProgress?: (statistics: BatchStatistics) => void
}

export interface BatchOutcome {
  statistics: BatchStatistics
  /** One line on what was reused of an earlier start. */
  told: string | undefined
  /** The file with all trajectories; absent if the batch was interrupted. */
  trajectories?: string
}

/**
 * Runs each prompt of a file once: results of an earlier start with the same text and settings are reused; failed
 * prompts run again.
 *
 * @throws HermesError `EEXIST`, `LOCKED`; `MODEL_FAILED` where the server refuses the key, with all results so far
 * stored; Node's codes where files cannot be read or written
 */
export async function runBatch(options: BatchOptions): Promise<BatchOutcome> {
  const { file, directory, isResumed, plan, signal } = options
  const output = await RunOutput.open<PromptReport>(directory, isResumed, WORDS, NOT_DECIDING)
  let runner: BatchRunner | undefined
  try {
    const readSettings = settingsReader()
    const settingsOf = (prompt: BatchPrompt): Promise<DecidingSettings> => readSettings(
      { workspace: plan.workspace, decides: decisions(prompt, plan) }, { name: prompt.name, format: 'openai' },
    )
    if (isResumed && options.confirmAgain) await confirmRunAgain(options, output, settingsOf)
    const { run, concurrency } = runner = await options.openRunner()
    const statistics = noStatistics()
    const running = new Set<Promise<void>>()
    let failure: { error: unknown } | undefined
    const count = (report: PromptReport): void => {
      addReport(statistics, report)
      options.onProgress?.(statistics)
    }
    const runOne = async (prompt: BatchPrompt, settings: DecidingSettings): Promise<void> => {
      const { worker, ran, isUnrun = false, settled } = await run(prompt, settings)
      if (signal.aborted && ran.report.error?.code === 'CANCELLED') return
      if (ran.isKeyRefused) throw keyRefused(ran.report, plan)
      if (!isUnrun) output.keep(worker, ran, settings)
      count(ran.report)
      await settled?.()
    }
    for await (const prompt of readPrompts(file)) {
      if (signal.aborted || failure) break
      if ('problem' in prompt) {
        statistics.bad.push(prompt)
        continue
      }
      const settings = await settingsOf(prompt)
      const kept = output.takeDone(prompt.content, settings)
      if (kept) {
        statistics.takenOver++
        count({ ...kept.report, name: prompt.name, line: prompt.line })
        continue
      }
      const started = runOne(prompt, settings).catch((error: unknown) => { failure ??= { error } })
        .finally(() => running.delete(started))
      running.add(started)
      if (running.size >= concurrency) await Promise.race(running)
    }
    await Promise.all(running)
    await runner.close()
    runner = undefined
    if (failure) throw failure.error
    const { told } = output
    if (signal.aborted) return { statistics, told }
    const trajectories = await output.combine()
    keepStatistics(join(directory, STATISTICS), statistics)
    return { statistics, told, trajectories }
  } finally {
    await runner?.close()
    output.close()
  }
}

/** Goes through all prompts before the first is paid for, to name those that would be run a second time. */
async function confirmRunAgain(
  { file, confirmAgain, signal }: BatchOptions, output: RunOutput<PromptReport>,
  settingsOf: (prompt: BatchPrompt) => Promise<DecidingSettings>,
): Promise<void> {
  const survey = output.survey()
  for await (const prompt of readPrompts(file)) {
    if (signal.aborted) return
    if (!('problem' in prompt)) survey.see(prompt.content, prompt.name, await settingsOf(prompt))
  }
  const again = survey.again()
  if (again.length > 0) await confirmAgain?.(again)
}

function keyRefused({ name, error }: PromptReport, { agent: { baseURL = 'the server' } }: BatchPlan): HermesError {
  return new HermesError('MODEL_FAILED', `${name}: ${error?.message ?? 'the key is refused'}`, {
    hint: `Every prompt would fail so. Check the API key, and that it belongs to ${baseURL}; `
      + 'then the same command with --resume goes on.',
  })
}

/** All settings that influence the result of a prompt besides its text. */
function decisions(prompt: BatchPrompt, plan: BatchPlan): DecidingSettings {
  const toolsets = toolsetsOf(prompt, plan)
  const { model, systemPrompt, maxTurns } = prompt
  return {
    ...plan.decides,
    ...(toolsets && { toolsets: toolsets.join(',') }), ...(model !== undefined && { model }),
    ...(systemPrompt !== undefined && { 'system-prompt': systemPrompt }),
    ...(maxTurns !== undefined && { 'max-turns': String(maxTurns) }),
  }
}

function keepStatistics(file: string, statistics: BatchStatistics): void {
  caught(isNodeError, () => writeOutput(file, `${JSON.stringify(statistics, null, 2)}\n`), (error) => {
    throw new HermesError(error.code, `Cannot write ${file} (${error.code})`, {
      hint: 'The trajectories are there; --resume writes it again.', cause: error,
    })
  })
}
