import { basename, relative } from 'node:path'
import { realpathSync } from 'node:fs'
import { caughtLater, HermesError, orNothing } from '../../../../0-contracts/src/index.js'
import { keptOptions } from '../../../../2-config/src/index.js'
import { isInside, noteRunRoots } from '../../../../2-files/src/index.js'
import type { PreparedAnswer } from '../../../../2-extensions/src/index.js'
import { Hermes } from '../../../../5-executor/src/index.js'
import { createPalette, createSeenContents, type SeenContents } from '../../../../1-reports/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import { runAnswer, watchAnswers, watchedPlace, type Answer, type Applied } from '../../../../7-services/src/index.js'
import { applyOptions, type ApplyOptions, inFlagTerms, mappingOption, milliseconds } from '../../setup/apply-options.js'
import { wantedExtensions } from '../../setup/wanted-extensions.js'
import { usageError, type Arguments } from '../../arguments.js'
import type { Program } from '../../command.js'
import { consentOptions } from '../../io/consent-options.js'
import { fatalFields } from '../../io/failure-document.js'
import { interruptible, type Interrupt } from '../../io/interrupt.js'
import { livePrinter, tellingOf } from '../../io/print-live.js'
import { EXIT, print, printJsonLine, say, wantsColour } from '../../io/output.js'
import { OwnFiles } from '../../io/own-files.js'

/** Longer than any run, since a watch waits for its turn. */
const WAIT_MS = 86_400_000
const DEFAULT_QUIET_MS = 300
const COMMANDS_REACH_IT = 'It lies in the root: what a command of an answer writes there is run as an answer, too. '
  + 'Better watch a place outside of the root.'

/** `hermes watch`: applies each answer that arrives in a place, until interrupted. */
export async function watch(args: Arguments, { packageFile }: Program): Promise<number> {
  const [path] = args.positionals
  if (path === undefined) {
    throw usageError('No PATH given', 'Write hermes watch PATH: a file or a folder that answers are put into.')
  }
  const place = watchedPlace(path)
  const quietMs = milliseconds(args, 'quiet', 'time', 'e.g. 0.3 or 2', { least: 0, most: 3600 }) ?? DEFAULT_QUIET_MS
  const options = { ...applyOptions(args), ...mappingOption(args), waitMs: WAIT_MS }
  const root = checkedRoot(options)
  const { editFormats } = { ...options, ...await keptOptions(options) }
  noteRunRoots([root, ...options.allow ?? []])
  if (args.has('clipboard')) await (await import('../../io/answer-clipboard.js')).readClipboard()
  const interrupt = interruptible()
  const extending = await wantedExtensions(args, false)
  const extender = extending.extensions && new Hermes({ ...options, ...extending, signal: interrupt.signal })
  const ownFiles = new OwnFiles(packageFile())
  let isSuccess = true
  const seen = createSeenContents()
  const what = place.file === undefined ? `the folder ${place.folder}` : `${place.file} in ${place.folder}`
  await interrupt.during(async () => watchAnswers({
    ...(editFormats && { editFormats }),
    ...(options.startsInThink === true && { startsInThink: true }),
    place, root, quietMs, existing: args.has('existing'), once: args.has('once'), signal: interrupt.signal,
    ready() {
      say(`watches ${what}; answers run in ${root}. Ctrl-C ends it.`)
      if (isInside(root, place.folder)) say(COMMANDS_REACH_IT)
    },
    notice: (sentence, file) => say(file === undefined ? sentence : `${nameOf(file)}: ${sentence}`),
    async apply(answer) {
      // If this throws, the answer counts as not applied, and is when the watch starts again with --existing.
      ownFiles.requirePresent()
      const applied = await applyAnswer(answer, { args, options, interrupt, seen, extender })
      isSuccess &&= applied.result.success
      return applied
    },
  }).finally(async () => extender?.[Symbol.asyncDispose]()))
  return interrupt.exitCode ?? (isSuccess ? EXIT.ok : EXIT.failed)
}

interface Settings {
  args: Arguments
  options: ApplyOptions
  interrupt: Interrupt
  /** Contents that the model reading this watch's replies has seen. */
  seen: SeenContents
  /** Session with the extensions, one process each for the whole watch; each run has its own session. */
  extender: Hermes | undefined
}

async function applyAnswer(answer: Answer, { args, options, interrupt, seen, extender }: Settings): Promise<Applied> {
  const startedAt = new Date()
  const asJson = args.has('json')
  const printer = asJson ? undefined : await livePrinter(options, interrupt.signal)
  if (!asJson) print(header(answer, startedAt))
  const prepared = extender && await preparedBy(extender, answer, interrupt.signal)
  const { applied, summary, reply } = await runAnswer(answer, {
    ...options, ...consentOptions({ yes: args.has('yes'), usesStdin: false, signal: interrupt.signal }),
    signal: interrupt.signal, ...tellingOf(printer), ...(printer && { onEvent: (event) => printer.event(event) }),
  }, { prepend: args.has('prepend'), prepared, seen, ...(printer && { onRead: (outcome) => printer.expect(outcome) }) })
  const { result } = applied
  printer?.end(result, interrupt.exitCode !== undefined)
  if ('problem' in summary) say(`${nameOf(answer.path)}: ${summary.problem}`)
  else if (!asJson && !args.has('prepend')) print(faint(`summary: ${nameOf(summary.path)}\n`))
  if (args.has('clipboard')) await (await import('../../io/answer-clipboard.js')).handBack(reply)
  if (asJson) printJsonLine({
    file: answer.path, hash: answer.hash, runId: answer.runId, startedAt: startedAt.toISOString(),
    result: { schemaVersion: 1, runId: answer.runId, ...result, ...fatalFields(result) },
  })
  return applied
}

/** @returns the error where an extension failed, which does not end the watch */
async function preparedBy(
  extender: Hermes, { path, text }: Answer, signal: AbortSignal,
): Promise<PreparedAnswer | HermesError> {
  return await caughtLater(HermesError, async () => {
    const prepared = await extender.prepare(text, { filePath: path, signal })
    prepared.notes.forEach(say)
    return prepared
  }, (error) => error)
}

function header({ path }: Answer, at: Date): string {
  const { strong } = createPalette(wantsColour())
  return `\n${strong(escapeControls(basename(path)))}${faint(` · ${at.toTimeString().slice(0, 8)}`)}\n`
}

function faint(text: string): string {
  return createPalette(wantsColour()).faint(text)
}

/** The root with links resolved. @throws HermesError `INVALID_OPTION`, before anything is watched */
function checkedRoot(options: ApplyOptions): string {
  inFlagTerms(() => new Hermes(options))
  return orNothing(() => realpathSync.native(options.root), options.root)
}

/** The shortest form of a path. */
function nameOf(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') ? path : near
}
