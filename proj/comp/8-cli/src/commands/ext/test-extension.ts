import type { ConfiguredExtension } from '../../../../2-config/src/index.js'
import { hostOptions, Message, noUi, testExtension, type Finding } from '../../../../2-extensions/src/index.js'
import { createPalette } from '../../../../1-reports/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import type { Arguments } from '../../arguments.js'
import { extensionTimeout } from '../../setup/extension-limits.js'
import { canonicalRoot } from '../../setup/extension-flags.js'
import { EXIT, print, printError, printFound, wantsColour } from '../../io/output.js'

/** Default time limit for one command of an extension under test, in milliseconds. */
const LIMIT_MS = 10_000
/** Default text for its commands: a block, and characters of more than one byte. */
const TEXT = '# Größer 🙂\n\n#!SHAM [@three-char-SHA-256: abc]\naction = "file_read"  \n'
  + 'path = "/w/größer.txt"\n#!END_SHAM_abc\n'

/** `hermes ext test`: simulates hosts of all kinds, and reports the extension's errors. */
export async function test(
  args: Arguments, extension: ConfiguredExtension, text: string, signal: AbortSignal,
): Promise<number> {
  const options = {
    ...hostOptions(extension, {
      root: canonicalRoot(args), message: new Message(), ui: noUi('this is a trial'),
      onLog: args.has('log') ? printError : undefined,
    }),
    text: text === '' ? TEXT : text, limitMs: extensionTimeout(args) ?? LIMIT_MS,
  }
  const findings: Finding[] = []
  for await (const finding of testExtension(options, args.value('command'), signal)) {
    findings.push(finding)
    if (!args.has('json')) print(lines(finding))
  }
  const count = (outcome: Finding['outcome']): number => findings.filter(finding => finding.outcome === outcome).length
  const [right, wrong, leftOut] = [count('right'), count('wrong'), count('left out')]
  return printFound(args, { success: wrong === 0, right, wrong, leftOut, findings }, () => (
    `\n${right} right, ${wrong} wrong, ${leftOut} left out\n`), wrong === 0 ? EXIT.ok : EXIT.failed)
}

function lines({ trial, outcome, message, hint, log = [] }: Finding): string {
  const { good, bad, faint } = createPalette(wantsColour())
  const mark = outcome === 'right' ? good('✓') : outcome === 'wrong' ? bad('✗') : faint('–')
  return [
    `${mark}  ${trial}${outcome === 'left out' ? faint(`: ${message ?? ''}`) : ''}`,
    ...(outcome !== 'wrong' ? [] : [
      `   ${escapeControls(message ?? '')}`, `   ${hint ?? ''}`,
      ...log.map(line => faint(`   | ${escapeControls(line)}`)),
    ]),
    '',
  ].join('\n')
}
