import { realpathSync } from 'node:fs'
import { orNothing } from '../../../contracts/src/index.js'
import { applyOptions, asFlagError } from '../setup/apply-options.js'
import { usageError, type Arguments } from '../arguments.js'
import type { Program } from '../command.js'
import { EXIT } from '../exit-codes.js'
import { PROMPT_COMMANDS } from '../interactive-commands.js'
import { complete } from '../interactive-completion.js'
import { historyFile, openHistory } from '../interactive-history.js'
import { editorInput, lineInput, type InteractiveInput } from '../interactive-input.js'
import { InteractiveLoop } from '../interactive-loop.js'
import { isTerminal, print, printError } from '../io/output.js'

const ENDS = { SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const

/** `hermes interactive`: a prompt for answers; without a terminal, lines of standard input. */
export async function interactive(args: Arguments, program: Program): Promise<number> {
  const options = applyOptions(args)
  const isAtTerminal = isTerminal('stdin') && isTerminal('stdout')
  const asJson = args.has('json')
  if (asJson && isAtTerminal) throw usageError(
    '--json is for standard input that is no terminal', 'Pipe envelopes or answers into it, or leave --json out.',
  )
  const ending = new AbortController()
  let loop: InteractiveLoop | undefined
  let given = ''
  const input = isAtTerminal && process.env['TERM'] !== 'dumb'
    ? editor(
      args, async (line) => (loop ? complete({ line, before: loop.pending() }, loop.registry, NAMES) : [[], line]),
    )
    : lineInput(process.stdin, (prompt) => {
      given = prompt
      if (isAtTerminal) print(prompt)
    })
  const root = orNothing(() => realpathSync.native(options.root), options.root)
  const interrupts = listen(ending, () => input.close())
  try {
    loop = new InteractiveLoop({
      options, input, isTerminal: isAtTerminal, asJson, program, root, signal: ending.signal,
      consent: { yes: args.has('yes'), usesStdin: !isAtTerminal, lasts: 'this session' },
      onRun: interrupts.onRun,
    })
    if (isAtTerminal) print(`hermes works in ${root}. Paste an answer; /help lists the commands.\n`)
    const isSuccess = await loop.run()
    return interrupts.exitCode ?? (isAtTerminal || isSuccess ? EXIT.ok : EXIT.failed)
  } catch (error) {
    throw asFlagError(error)
  } finally {
    input.close()
    if (given !== '') print('\n')
    interrupts.release()
  }
}

const NAMES = PROMPT_COMMANDS.map(({ name }) => name)

function editor(args: Arguments, completion: (line: string) => Promise<[string[], string]>): InteractiveInput {
  const history = args.has('no-history') ? undefined
    : openHistory(historyFile(), (sentence) => printError(`hermes: ${sentence}\n`))
  return editorInput({
    input: process.stdin, output: process.stdout, history: history?.lines ?? [], complete: completion,
    onLine: (line) => history?.add(line),
  })
}

/** Ctrl-C cancels what runs, a second one ends hermes at once; other signals cancel it and end hermes. */
function listen(ending: AbortController, close: () => void) {
  let running: AbortController | undefined
  let exitCode: number | undefined
  const end = (code: number): void => {
    if (exitCode !== undefined) process.exit(code)
    exitCode = code
    running?.abort()
    ending.abort()
    close()
  }
  const interrupt = (): void => {
    if (!running) end(EXIT.interrupted)
    else if (running.signal.aborted) process.exit(EXIT.interrupted)
    else running.abort()
  }
  const listeners = Object.entries(ENDS).map(([name, code]) => [name, () => end(code)] as const)
  process.on('SIGINT', interrupt)
  for (const [name, listener] of listeners) process.on(name, listener)
  return {
    get exitCode() {
      return exitCode
    },
    onRun: (run: AbortController | undefined): void => {
      running = run
    },
    release(): void {
      process.off('SIGINT', interrupt)
      for (const [name, listener] of listeners) process.off(name, listener)
    },
  }
}
