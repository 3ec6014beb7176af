import { basename } from 'node:path'
import type { ParseError } from '../../../../0-contracts/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import { CodeFences, mendText, parse } from '../../../../1-reading/src/index.js'
import { renderParseOutcome, renderTextDiff } from '../../../../1-reports/src/index.js'
import { usageError, type Arguments } from '../../arguments.js'
import { readingOptions } from '../../setup/apply-options.js'
import { EXIT } from '../../exit-codes.js'
import { isTerminal, print, printError, printJson } from '../../io/output.js'
import { isStdin, readInput } from '../../io/read-input.js'
import { answerOf } from '../../io/saved-response.js'

const MARK = '\uFEFF'

/** `hermes mend`: the answer with each fix in place. It only prints. */
export async function mendCommand(args: Arguments): Promise<number> {
  const options = await readingOptions(args)
  const file = args.positionals[0]
  const given = await readInput('mend', file, { keepsMark: true })
  const mark = given.startsWith(MARK) ? MARK : ''
  const before = given.slice(mark.length)
  // The lines of a fix are those of the text in it, not of the document around it.
  if ((await answerOf(before)).response) {
    throw usageError('A saved response of an interface cannot be mended', 'Give the text of the answer.')
  }
  const { text, mended, outcome: { errors } } = mendText(before, whole => parse(whole, options))
  const name = isStdin(file) ? 'answer' : basename(file)
  const diff = mended.length === 0 ? '' : await renderTextDiff(name, before, text)
  if (args.has('json')) printJson({ text: mark + text, mended, diff, errors })
  else {
    print(isTerminal('stdout') ? escapeControls(text, true) : mark + text)
    const isWhole = mended.length === 0 && errors.length === 0
    printError(isWhole ? 'hermes: nothing to mend\n' : diff + leftLines(text, errors))
  }
  return mended.length > 0 && errors.length === 0 ? EXIT.ok : EXIT.failed
}

/** What has no fix, as `hermes parse` shows it. */
function leftLines(text: string, errors: ParseError[]): string {
  if (errors.length === 0) return ''
  const left = { blocks: [], errors, skipped: [], totalBlocks: errors.length }
  return renderParseOutcome(left, { fences: new CodeFences().push(text).end() })
}
