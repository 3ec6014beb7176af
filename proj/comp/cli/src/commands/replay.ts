import { statSync } from 'node:fs'
import { join } from 'node:path'
import {
  renderGithub, renderReplay, replay, RunOutput, settingsReader, updateRecords, type DecidingSettings,
  type ReplayReport, type Update,
} from '../../../replay/src/index.js'
import { HermesError } from '../../../contracts/src/index.js'
import { replayReports } from '../../../report-formats/src/index.js'
import { plural } from '../../../reports/src/index.js'
import { escapeControls, shellWord } from '../../../text/src/index.js'
import { shippedMapping } from '../../../tool-mapping/src/index.js'
import {
  contentHash, readTranscripts, type ReadItem, type Transcript, type TranscriptFormat,
} from '../../../transcripts/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
import { asFlagError } from '../apply-options.js'
import { EXIT } from '../exit-codes.js'
import { interruptible } from '../interrupt.js'
import { print, printError, printJson, wantsColour } from '../output.js'
import { checkOutputs, checkReplay } from '../replay-checks.js'
import { exportWriter } from '../replay-export.js'
import { replayPlans, transcriptFormat, type PathPlan } from '../replay-flags.js'
import { replayProgress } from '../replay-progress.js'
import { replayRunner, serveIfWorker } from '../replay-run.js'

/** Up to here transcripts are counted beforehand, so that the remaining time can be told; in bytes. */
const COUNTED_BYTES = 16 * 1024 * 1024

/** `hermes replay`: runs recorded conversations again and says what changed. */
export async function replayCommand(args: Arguments): Promise<number> {
  const shown = args.value('show-mapping')
  if (shown !== undefined) {
    const mapping = shippedMapping(shown).trimStart()
    if (args.has('json')) printJson({ name: shown, mapping })
    else print(mapping)
    return EXIT.ok
  }
  if (args.has('store') && !args.has('queue')) {
    throw usageError('--store is for --queue', 'Write --queue redis://host:6379 --store DIR.')
  }
  if (args.has('queue-status')) {
    const { showQueueStatus } = await import('../queue-status-text.js')
    return showQueueStatus(args)
  }
  if (args.positionals.length === 0) {
    throw usageError('No transcripts given', 'Write hermes replay PATH: a file, or a folder of transcripts.')
  }
  const served = await serveIfWorker((signal) => plansFor(args, signal))
  if (served !== undefined) return served
  const interrupt = interruptible()
  const format = transcriptFormat(args)
  const run = runDirectory(args)
  await checkReplay(args)
  const writeReports = replayReports(args.values('report'))
  const plans = await plansFor(args, interrupt.signal)
  checkOutputs(args, run, plans)
  const output = run === undefined ? undefined : await RunOutput.open(run, args.has('resume'))
  const exported = exportWriter(args.value('export'))
  const updates: Update[] = []
  const planOf = new WeakMap<Transcript, number>()
  const settingsOf = new WeakMap<Transcript, DecidingSettings>()
  const readSettings = settingsReader()
  const progress = replayProgress(await countBeforehand(plans, format))
  const runner = args.has('queue')
    ? await (await import('../replay-queue-run.js')).queueRunner(args, plans, {
      signal: interrupt.signal, directory: run,
    })
    : await replayRunner(args, plans, interrupt.signal)
  const report = await interrupt.during(async () => {
    try {
      return await replay(readAll(plans, format, planOf), {
        concurrency: runner.concurrency,
        signal: interrupt.signal,
        run: (transcript) => runner.run(planOf.get(transcript) ?? 0, transcript, settingsOf.get(transcript)),
        onFailure: (error, left) => tellFailure(error, left),
        async earlier(transcript) {
          const options = plans[planOf.get(transcript) ?? 0]?.options
          if (!output || !options) return undefined
          const settings = await readSettings(options, transcript)
          settingsOf.set(transcript, settings)
          const done = output.takeDone(contentHash(transcript), settings, { onlySame: args.has('update') })
          if (done?.trajectory !== undefined) exported.write(JSON.stringify(done.trajectory))
          return done?.report
        },
        onProgress: progress.tell,
        async onReplayed(transcript, replayed, worker) {
          const { trajectory, results, report: { error, drifted, counts } } = replayed
          if (runner.isRun?.(transcript) ?? true) output?.keep(worker, replayed, settingsOf.get(transcript) ?? {})
          exported.write(trajectory)
          if (results && !error && (drifted || counts.unrecorded > 0)) updates.push({ transcript, results })
          await runner.settled?.(transcript)
        },
      })
    } finally {
      await runner.close()
      progress.end()
    }
  })
  // Whoever writes to it may never end.
  if (interrupt.exitCode !== undefined && readsStdin(args)) process.stdin.unref()
  if (output?.told !== undefined) printError(`${output.told}\n`)
  const combined = interrupt.exitCode === undefined ? await output?.combine() : undefined
  if (combined !== undefined) printError(`Trajectories: ${combined}\n`)
  output?.close()
  if (interrupt.exitCode === undefined && report.transcripts > 0) exported.finish()
  return finish(args, report, { writeReports, updates, format, interrupted: interrupt.exitCode })
}

/** What ends the replay, told at once where others are waited for. */
function tellFailure(error: unknown, left: number): void {
  if (!(error instanceof HermesError) || left === 0) return
  printError(`${escapeControls(error.message)}. No more are begun; `
    + `waiting for ${plural(left, 'transcript')} under way. Ctrl-C ends that.\n`)
}

function readsStdin(args: Arguments): boolean {
  return args.positionals.some((path) => path === '-' || path === '/dev/stdin') && 'unref' in process.stdin
}

/** Where a run with a name is kept; `undefined` without one. @throws HermesError `INVALID_OPTION` */
function runDirectory(args: Arguments): string | undefined {
  const name = args.value('run')
  if (name === undefined) {
    if (args.has('resume')) throw usageError('--resume needs the name of the run', 'Write --run NAME --resume.')
    return undefined
  }
  if (!/^[\w][\w.-]*$/.test(name)) {
    throw usageError(`Not a name for a run: ${name}`, 'Use letters, digits, dots, dashes and underscores.')
  }
  return join(args.value('output') ?? 'data', name)
}

async function plansFor(args: Arguments, signal: AbortSignal): Promise<PathPlan[]> {
  try {
    return await replayPlans(args, signal)
  } catch (error) {
    throw asFlagError(error)
  }
}

async function* readAll(
  plans: readonly PathPlan[], format: TranscriptFormat | undefined, planOf?: WeakMap<Transcript, number>,
): AsyncGenerator<ReadItem, void> {
  const seen = new Set<string>()
  for (const [index, { path, except }] of plans.entries()) {
    for await (const item of readTranscripts([path], { format, except, seen })) {
      if ('transcript' in item) planOf?.set(item.transcript, index)
      yield item
    }
  }
}

async function countBeforehand(
  plans: readonly PathPlan[], format: TranscriptFormat | undefined,
): Promise<number | undefined> {
  const isSmall = plans.every(({ path }) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    // What comes by standard input can be read once only.
    return stat?.isDirectory() === true || (stat?.isFile() === true && stat.size <= COUNTED_BYTES)
  })
  if (!process.stderr.isTTY || !isSmall) return undefined
  let count = 0
  for await (const _ of readAll(plans, format)) count++
  return count
}

interface Ending {
  writeReports: (report: ReplayReport) => Promise<void>
  updates: readonly Update[]
  format: TranscriptFormat | undefined
  interrupted: number | undefined
}

async function finish(
  args: Arguments, report: ReplayReport, { writeReports, updates, format, interrupted }: Ending,
): Promise<number> {
  if (report.transcripts + report.bad === 0 && interrupted === undefined) {
    throw usageError(
      `No transcripts in ${args.positionals.join(', ')}`, 'Transcripts are .jsonl, .json, .traj and .md files.',
    )
  }
  await writeReports(report)
  if (args.has('json')) printJson(report)
  else print(await renderReplay(report, { colour: wantsColour() }))
  if (args.has('github') && !args.has('json')) print(renderGithub(report))
  if (interrupted !== undefined) {
    const kept = args.value('export')
    if (kept !== undefined) printError(`Interrupted: ${kept} is as it was\n`)
    if (args.has('run')) printError(`Interrupted. To go on: hermes ${goingOn().map(shellWord).join(' ')}\n`)
    return interrupted
  }
  if (args.has('update')) return update(updates, report, format)
  const isStrict = args.has('strict') && report.counts.unmapped + report.counts.unrecorded > 0
  return report.drifted > 0 || report.bad > 0 || isStrict ? EXIT.failed : EXIT.ok
}

function goingOn(): string[] {
  const words = process.argv.slice(2)
  return (words.includes('--resume') ? words : [...words, '--resume']).map(withoutQueuePassword)
}

/** A password is not printed; it has to be put back, or into HERMES_QUEUE_PASSWORD. */
function withoutQueuePassword(word: string): string {
  return word.replace(/^((?:--queue=)?rediss?:\/\/[^:@/]*):.*@/i, '$1:***@')
}

/** What drifted is as recorded from now on; trees and what could not be read or run are not. */
async function update(
  updates: readonly Update[], report: ReplayReport, format: TranscriptFormat | undefined,
): Promise<number> {
  const { files, results, without, failed } = await updateRecords(updates, { format })
  for (const { error } of failed) {
    printError(`hermes: ${escapeControls(error.message)}\n  ${escapeControls(error.hint ?? '')}\n`)
  }
  const left = without === 0 ? '' : `; ${plural(without, 'result')} without a place that can be rewritten`
  printError(`Rewrote ${plural(results, 'result')} in ${plural(files.length, 'file')}${left}\n`)
  return report.errors + report.bad + report.treeDifferences + failed.length > 0 ? EXIT.failed : EXIT.ok
}
