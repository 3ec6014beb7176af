import { join } from 'node:path'
import { HermesError } from '../../../../0-contracts/src/index.js'
import type { ExecutorOptions } from '../../../../5-executor/src/index.js'
import type { Output } from '../../../../2-files/src/index.js'
import {
  checkOutputs, checkReplay, renderReplay, replayDocument, replayItems, replayPlans, replayProgress, ReplayRun,
  replayRunner, resumingCommand, serveIfWorker, transcriptFormat, updateRecords, type PathPlan, type ReplayReport,
  type ReplaySetup, type Update,
} from '../../../../6-replay/src/index.js'
import { shippedMapping } from '../../../../2-mapping/src/index.js'
import { replayReports, type ReplayReports } from '../../../../7-output/src/index.js'
import { plural, renderAnnotations } from '../../../../1-reports/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import type { TextChoice, TranscriptFormat } from '../../../../2-transcripts/src/index.js'
import { applyOptions, throwAsFlagError } from '../../setup/apply-options.js'
import { extensionTimes, requireNoQueue } from '../../setup/extension-limits.js'
import { usageError, type Arguments } from '../../arguments.js'
import { consentOptions } from '../../io/consent-options.js'
import { interruptible } from '../../io/interrupt.js'
import { EXIT, print, printError, printJson, printRaw, wantsColour } from '../../io/output.js'
import { ownWorkers, queueSettings, requireQueueOfStore, wishes } from '../../setup/work-flags.js'

/** `hermes replay`: runs recorded conversations again and reports differences. */
export async function replayCommand(args: Arguments): Promise<number> {
  const shown = args.value('show-mapping')
  if (shown !== undefined) {
    const mapping = shippedMapping(shown).trimStart()
    if (args.has('json')) printJson({ name: shown, mapping })
    else printRaw(mapping)
    return EXIT.ok
  }
  requireQueueOfStore(args)
  if (args.has('queue-status')) return (await import('./queue-status.js')).showQueueStatus(args)
  if (args.positionals.length === 0) {
    throw usageError('No transcripts given', 'Write hermes replay PATH: a file, or a folder of transcripts.')
  }
  const texts = chosenTexts(args)
  const interrupt = interruptible()
  const { signal } = interrupt
  const setup = replaySetup(args, signal)
  if (await serveIfWorker((ended) => plansOf(replaySetup(args, ended), ended))) return EXIT.ok
  const format = transcriptFormat(args.value('format'))
  const directory = runDirectory(args)
  await checkReplay(setup)
  const reports = replayReports(args.values('report'))
  const plans = await plansOf(setup, signal)
  checkOutputs([
    ...outputsOf(args, 'export'), ...outputsOf(args, 'report'),
    ...(directory === undefined ? [] : [{ flag: '--run', path: directory }]),
  ], setup, plans)
  const run = await ReplayRun.open({
    plans, format, directory, isResumed: args.has('resume'), onlySame: args.has('update'),
    exportTo: args.value('export'), texts, signal,
  })
  const isLive = process.stderr.isTTY
  const progress = replayProgress(isLive ? await run.count() : undefined, {
    isTerminal: isLive && process.env['TERM'] !== 'dumb', columns: () => process.stderr.columns || 80,
    write: printError,
  })
  const queued = args.has('queue')
    ? await (await import('../../../../7-queue/src/index.js')).queueRunner(
      queueSettings(args), plans, { signal, directory },
    ) : undefined
  const report = await interrupt.during(async () => {
    try {
      const runner = queued ?? await replayRunner({ ...ownWorkers(args), onCall: progress.call }, plans, signal)
      return await run.replay(runner, { onProgress: progress.tell, onSame: reports.same, onFailure: tellFailure })
    } finally {
      progress.end()
    }
  })
  // The writer may never close it.
  if (interrupt.exitCode !== undefined && readsStdin(args)) process.stdin.unref()
  if (interrupt.exitCode !== undefined) {
    report.interrupted = progress.reached()
    printError(`Interrupted after ${report.interrupted}\n`)
  }
  if (run.told !== undefined) printError(`${run.told}\n`)
  const combined = interrupt.exitCode === undefined ? await run.combine() : undefined
  if (combined !== undefined) printError(`Trajectories: ${combined}\n`)
  run.close(interrupt.exitCode === undefined && report.transcripts > 0)
  return finish(args, report, { reports, updates: run.updates, format, interrupted: interrupt.exitCode })
}

/** The settings that the flags give. @throws HermesError `INVALID_OPTION` */
function replaySetup(args: Arguments, signal: AbortSignal): ReplaySetup {
  const { root: _, dryRun: __, ...given } = applyOptions(args)
  const isKept = args.has('export') || args.has('run')
  return {
    paths: args.positionals, mappings: args.values('mapping'), ...wishes(args), expect: args.value('expect'),
    exportAs: isKept ? args.value('export-as') ?? 'sharegpt' : undefined,
    keepResults: args.has('update'), isQueued: args.has('queue'), program: process.argv[1] ?? '',
    execution: {
      ...given, ...extensionsAsked(args),
      ...consentOptions({ yes: args.has('yes'), usesStdin: true, signal }),
    },
  }
}

/** Which texts to run of answers that extensions changed. @throws HermesError `INVALID_OPTION` */
function chosenTexts(args: Arguments): TextChoice {
  const without = args.values('without')
  const flag = args.has('original') ? '--original' : without.length > 0 ? '--without' : undefined
  if (flag !== undefined && args.has('update')) {
    throw usageError(`--update and ${flag} cannot be given together`, 'The record has the results of what ran.')
  }
  if (flag === '--original' && without.length > 0) {
    throw usageError('--original and --without cannot be given together', 'The original is without all of them.')
  }
  return { original: flag === '--original', without }
}

/**
 * Extensions given by flags only: a record already has what its extensions left. @throws HermesError `INVALID_OPTION`
 */
function extensionsAsked(args: Arguments): Partial<ExecutorOptions> {
  const extensions = args.values('extension')
  if (extensions.length === 0) return {}
  requireNoQueue(args)
  return { extensions, ...extensionTimes(args) }
}

function outputsOf(args: Arguments, flag: string): Output[] {
  return args.values(flag).map((path) => ({ flag: `--${flag}`, path }))
}

/** Reports the error that ends the replay, at once if other transcripts are still running. */
function tellFailure(error: unknown, left: number): void {
  if (!(error instanceof HermesError) || left === 0) return
  printError(`${escapeControls(error.message)}. No more are begun; `
    + `waiting for ${plural(left, 'transcript')} under way. Ctrl-C ends that.\n`)
}

function readsStdin(args: Arguments): boolean {
  return args.positionals.some((path) => path === '-' || path === '/dev/stdin') && 'unref' in process.stdin
}

/** Directory of a named run; `undefined` without a name. @throws HermesError `INVALID_OPTION` */
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

function plansOf(setup: ReplaySetup, signal: AbortSignal): Promise<PathPlan[]> {
  return replayPlans(setup, signal).catch(throwAsFlagError)
}

interface Ending {
  reports: ReplayReports
  updates: readonly Update[]
  format: TranscriptFormat | undefined
  interrupted: number | undefined
}

async function finish(
  args: Arguments, report: ReplayReport, { reports, updates, format, interrupted }: Ending,
): Promise<number> {
  if (report.transcripts + report.bad === 0 && interrupted === undefined) {
    throw usageError(
      `No transcripts in ${args.positionals.join(', ')}`, 'Transcripts are .jsonl, .json, .traj and .md files.',
    )
  }
  const document = replayDocument(report, args.has('strict'))
  await reports.write(document)
  if (args.has('json')) printJson(document)
  else print(await renderReplay(report, { colour: wantsColour() }))
  // GitHub reads both streams; with `--json`, standard output must hold a single document.
  if (args.has('github')) (args.has('json') ? printError : print)(renderAnnotations(await replayItems(report)))
  if (interrupted !== undefined) {
    const kept = args.value('export')
    if (kept !== undefined) printError(`Interrupted: ${kept} is as it was\n`)
    if (args.has('run')) printError(`Interrupted. To go on: hermes ${resumingCommand(process.argv.slice(2))}\n`)
    return interrupted
  }
  if (args.has('update')) return update(updates, report, format)
  return document.success ? EXIT.ok : EXIT.failed
}

/** Writes drifted results into the records; trees, and transcripts that could not be read or run, stay. */
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
