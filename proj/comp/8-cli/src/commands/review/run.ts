import { basename } from 'node:path'
import type { ExecutionResult } from '../../../../0-contracts/src/index.js'
import type { PreparedAnswer } from '../../../../2-extensions/src/index.js'
import { Hermes, type ExecutorOptions } from '../../../../5-executor/src/index.js'
import { keptOptions } from '../../../../2-config/src/index.js'
import { readListenAddress } from '../../../../2-wire/src/index.js'
import { readPageAssets } from '../../../../2-page/src/index.js'
import { plural } from '../../../../1-reports/src/index.js'
import { runSettings, serveReview, type ReviewEnd } from '../../../../6-review/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import { wantedExtensions } from '../../setup/wanted-extensions.js'
import { applyOptions, throwAsFlagError } from '../../setup/apply-options.js'
import type { Arguments } from '../../arguments.js'
import { fatalFields } from '../../io/failure-document.js'
import { interruptible, type Interrupt } from '../../io/interrupt.js'
import { livePrinter } from '../../io/print-live.js'
import { canOpenPage, openPage } from '../../io/open-page.js'
import { asTyped, EXIT, print, printError, printJson, say } from '../../io/output.js'
import { portFlag } from '../../setup/port-flag.js'
import { isStdin, readInput, requireInput } from '../../io/read-input.js'

const NOTHING_RAN = {
  error: 'Nothing ran: the review was ended', hint: 'Start it again, and press Run there.',
}

/** `hermes review`: serves the page for looking at an answer, choosing from it, editing, running and undoing it. */
export async function review(args: Arguments): Promise<number> {
  const [file] = args.positionals
  requireInput('review', file)
  const address = readListenAddress(String(portFlag(args) ?? 0))
  const { dryRun: _, ...options } = applyOptions(args)
  const page = readPageAssets('review')
  const extending = await wantedExtensions(args, isStdin(file))
  const read = await readInput('review', file)
  const reading = await keptOptions(options)
  const interrupt = interruptible()
  const prepared = extending.extensions
    && await preparedAnswer(file, read, { ...options, ...extending }, interrupt)
  if (interrupt.exitCode !== undefined) return interrupt.exitCode
  const text = prepared?.text ?? read
  const printer = args.has('json') ? undefined : await livePrinter({ ...options, dryRun: false })
  let close: () => void = () => undefined
  const onListening = (url: string): void => {
    const opens = !args.has('no-open') && canOpenPage()
    printError(`hermes: review at ${url}\n  ${opens ? 'It opens in your browser. ' : 'Open it in a browser. '}Ctrl-C, `
      + `or closing the page, ends it.\n`)
    if (opens) close = openPage(url)
  }
  const end = await interrupt.during(async () => serveReview({
    text, ...(prepared && { prepared }), title: isStdin(file) ? 'standard input' : basename(file), run: options,
    reading, settings: runSettings(options),
    address, page, signal: interrupt.signal, onListening, ...(printer && { onEvent: (event) => printer.event(event) }),
  }).catch(throwAsFlagError).finally(() => close()))
  const { result, undo } = end
  if (result) printer?.end(result, end.cancelled)
  // A result reports the warnings itself.
  else if (prepared) prepared.warnings.forEach(say)
  if (args.has('json')) printJson(documentOf(end))
  else if (!result) printError('hermes: nothing ran: the review was ended\n')
  else if (undo) print(`${undo.success ? 'Undone' : 'Undone in part'}: `
    + asTyped(`${plural(undo.restored.length, 'path')} as before. hermes redo repeats the run.\n`))
  for (const id of args.has('json') ? [] : end.edited) {
    const did = end.mended?.includes(id) ? 'Mended' : 'Edited'
    print(escapeControls(`${did} in the review: ${id}\n`, true))
  }
  if (end.cancelled || !result) return interrupt.exitCode ?? EXIT.interrupted
  return exitCode(result, undo !== undefined, args.has('require-blocks'))
}

/** The answer after extensions: the page must show what would run. @throws HermesError where one fails */
async function preparedAnswer(
  file: string | undefined, text: string, options: ExecutorOptions, interrupt: Interrupt,
): Promise<PreparedAnswer | undefined> {
  const { prepared } = await import('../../setup/extension-flags.js')
  const hermes = new Hermes({ ...options, signal: interrupt.signal })
  try {
    return await prepared(hermes, text, interrupt, isStdin(file) ? undefined : file)
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
}

/** The result as in `apply --json`, and what was done in the review. */
function documentOf({ cancelled, result, edited, mended, undo }: ReviewEnd): object {
  const about = { cancelled, edited, ...(mended && { mended }), ...(undo && { undo }) }
  if (result) return { schemaVersion: 1, ...result, ...fatalFields(result), review: about }
  return { success: false, code: 'CANCELLED', ...NOTHING_RAN, review: about }
}

function exitCode(result: ExecutionResult, wasTakenBack: boolean, requireBlocks: boolean): number {
  if (result.fatalError !== undefined) return EXIT.usage
  if (wasTakenBack || !result.success) return EXIT.failed
  return requireBlocks && result.totalBlocks === 0 ? EXIT.failed : EXIT.ok
}
