import { basename } from 'node:path'
import { escapeControls, hasOnlyCrlf, lineFeeds } from '../../../../0-text/src/index.js'
import { CodeFences } from '../../../../1-reading/src/index.js'
import { plural, renderTextDiff, renderUnmended } from '../../../../1-reports/src/index.js'
import { mendAnswer, type MendedAnswer } from '../../../../5-executor/src/index.js'
import { usageError, type Arguments } from '../../arguments.js'
import type { Program } from '../../command.js'
import { applyOptions, mappingOption, readingOptions, throwAsFlagError } from '../../setup/apply-options.js'
import { askYes, mayAsk } from '../../io/ask-yes.js'
import { interruptible } from '../../io/interrupt.js'
import { EXIT, isTerminal, printError, printJson, printRaw } from '../../io/output.js'
import { isStdin, readInput } from '../../io/read-input.js'
import { answerOf } from '../../io/saved-response.js'

const MARK = '\uFEFF'

interface Mending extends MendedAnswer {
  /** Diff of the corrections; empty if there are none. */
  diff: string
  isWhole: boolean
}

/** `hermes mend`: prints the answer with every fix applied. It runs only if a person agrees. */
export async function mendCommand(args: Arguments, program: Program): Promise<number> {
  const file = args.positionals[0]
  requireOneUse(args, file)
  const given = await readInput('mend', file, { keepsMark: true })
  const mark = given.startsWith(MARK) ? MARK : ''
  // Read with LF, as `apply` does, and written with its own line endings.
  const written = given.slice(mark.length)
  const before = lineFeeds(written)
  const asWritten = (text: string): string => hasOnlyCrlf(written) ? text.replaceAll('\n', '\r\n') : text
  // Lines of a fix refer to the text in the response, not to the document around it.
  if ((await answerOf(before)).response) {
    throw usageError('A saved response of an interface cannot be mended', 'Give the text of the answer.')
  }
  const mending = await mend(args, before)
  if (args.has('apply') || args.has('plan')) return run(args, program, mending)
  const { mended, mendedResults, diff, errors, results, isWhole } = mending
  const text = asWritten(mending.text)
  if (args.has('json')) printJson({ text: mark + text, mended, mendedResults, diff, errors, results })
  else {
    printRaw(isTerminal('stdout') ? escapeControls(text, true) : mark + text)
    printError(told(mending))
  }
  return diff !== '' && isWhole ? EXIT.ok : EXIT.failed
}

/** Checks the flags. A corrected answer runs only if the user says so, or through a plan: `--yes` does not suffice. */
function requireOneUse(args: Arguments, file: string | undefined): void {
  if (args.has('apply') && args.has('plan')) {
    throw usageError('--apply and --plan cannot be given together', 'hermes apply --plan FILE carries the plan out.')
  }
  if (!args.has('apply') || (!isStdin(file) && mayAsk())) return
  throw usageError('--apply asks before it runs, and there is nobody to ask', 'Look at what hermes mend FILE prints, '
    + 'then run that: hermes mend FILE > mended.md, hermes apply mended.md. Or write a plan: hermes mend FILE --plan '
    + 'PLAN, hermes apply --plan PLAN.')
}

async function mend(args: Arguments, before: string): Promise<Mending> {
  const options = { ...applyOptions(args), ...mappingOption(args), ...await readingOptions(args) }
  const mending = await mendAnswer(before, options).catch(throwAsFlagError)
  const { text, errors, results } = mending
  const file = args.positionals[0]
  const name = isStdin(file) ? 'answer' : basename(file)
  const diff = text === before ? '' : await renderTextDiff(name, before, text)
  return { ...mending, diff, isWhole: errors.length + results.length === 0 }
}

function told(mending: Mending): string {
  if (mending.diff === '' && mending.isWhole) return 'hermes: nothing to mend\n'
  return mending.diff + renderUnmended(mending, { fences: new CodeFences().push(mending.text).end() })
}

/** Runs the corrected answer, or makes a plan of it. */
async function run(args: Arguments, program: Program, mending: Mending): Promise<number> {
  printError(told(mending))
  if (mending.diff === '') return EXIT.failed
  const { apply } = await import('../apply/run.js')
  if (args.has('plan')) {
    return apply({ ...args, has: (flag) => flag === 'dry-run' || args.has(flag) }, program, mending.text)
  }
  const left = mending.errors.length + mending.results.length
  const question = left === 0 ? 'Run the answer so?' : `Run the answer so? ${plural(left, 'block')} will fail.`
  const interrupt = interruptible()
  const isAgreed = await interrupt.during(async () => askYes(question, false, interrupt.signal))
  return isAgreed ? apply(args, program, mending.text) : EXIT.failed
}
