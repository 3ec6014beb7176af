import { join } from 'node:path'
import { hermesHome, ownSecrets } from '../../../../2-config/src/index.js'
import { InteractiveSession, type RunReport } from '../../../../7-console/src/index.js'
import { HistoryFile, type History } from '../../../../2-terminal/src/index.js'
import { createMasker, modelWords } from '../../../../0-text/src/index.js'
import { applyOptions, type ApplyOptions, asFlagError, mappingOption } from '../../setup/apply-options.js'
import { wantedExtensions } from '../../setup/wanted-extensions.js'
import { readArguments, usageError, type Arguments } from '../../arguments.js'
import { readClipboard, writeClipboard } from '../../io/answer-clipboard.js'
import type { Program } from '../../command.js'
import { consentOptions, userAtTerminal } from '../../io/consent-options.js'
import { fatalFields } from '../../io/failure-document.js'
import { duringDialogue } from '../../io/interrupt.js'
import { livePrinter, tellingOf } from '../../io/print-live.js'
import { EXIT, isTerminal, print, printError, printJsonLine, wantsColour } from '../../io/output.js'

const NO_HISTORY: History = { lines: [], add: () => undefined }

/** `hermes interactive`: a prompt for answers; without a terminal, lines of standard input. */
export async function interactive(args: Arguments, program: Program): Promise<number> {
  const options = { ...applyOptions(args), ...mappingOption(args) }
  const isAtTerminal = isTerminal('stdin') && isTerminal('stdout')
  const isEditor = isAtTerminal && process.env['TERM'] !== 'dumb'
  const asJson = args.has('json')
  if (asJson && isAtTerminal) throw usageError(
    '--json is for standard input that is no terminal', 'Pipe envelopes or answers into it, or leave --json out.',
  )
  const extending = await wantedExtensions(args, !isAtTerminal)
  const user = isAtTerminal ? userAtTerminal('this session') : undefined
  try {
    const session = new InteractiveSession({
      options, extending, input: process.stdin, output: process.stdout,
      ...(isAtTerminal && { terminal: isEditor ? 'editor' as const : 'plain' as const }),
      history: isEditor && !args.has('no-history') ? historyFile() : NO_HISTORY,
      consent: (signal) =>
        consentOptions({ yes: args.has('yes'), usesStdin: !isAtTerminal, lasts: 'this session', signal }),
      ...(user && !args.has('yes') && { offer: async (answer, reading, signal) =>
        (await import('../../io/offer-formats.js')).offerFormats(user, answer, { ...options, ...reading }, signal) }),
      reportRun: (signal) => (asJson ? JSON_LINES : printed(options, signal)),
      tell: asJson ? () => undefined : print,
      quote: (text) => modelWords(text, process.stdout.columns || 80),
      colour: wantsColour(),
      runCommand: async (name, argv) => runCommand(program, name, argv),
      clipboard: { read: readClipboard, write: writeClipboard },
    })
    // The first Ctrl-C cancels what runs, a second one ends hermes; other signals do both.
    return await duringDialogue({
      interrupt: () => session.interrupt() || process.exit(EXIT.interrupted),
      leave: (code) => session.leave(code) || process.exit(code),
    }, () => session.run())
  } catch (error) {
    throw asFlagError(error)
  }
}

/** `~/.hermes/history`, or in `HERMES_HOME`. */
function historyFile(): HistoryFile {
  const masker = createMasker({ ...process.env, ...ownSecrets() }, { shapes: true })
  const file = join(hermesHome(), 'history')
  return new HistoryFile({
    file, form: 'plain', mask: (line) => masker.text(line),
    onProblem: (code) => printError(`hermes: lines are not kept: ${file} cannot be used (${code})\n`),
  })
}

async function printed(options: ApplyOptions, signal: AbortSignal): Promise<RunReport> {
  const printer = await livePrinter(options, signal)
  return {
    options: { ...tellingOf(printer), onRead: (outcome) => printer.expect(outcome) },
    event: (event) => printer.event(event),
    end: (result, { isInterrupted }) => printer.end(result, isInterrupted),
  }
}

const JSON_LINES: RunReport = {
  event: () => undefined,
  end: (result, { runId }) => printJsonLine({ schemaVersion: 1, runId, ...result, ...fatalFields(result) }),
}

async function runCommand(program: Program, name: string, argv: readonly string[]): Promise<void> {
  const command = program.commands.find((candidate) => candidate.name === name)
  if (!command) throw new Error(`no command ${name}`)
  const run = await command.load()
  await run(readArguments(argv, command.flags, command.maxPositionals), program)
}
