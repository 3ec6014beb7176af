import { basename, resolve } from 'node:path'
import { shownOwnFile, userExtensions, type ConfiguredExtension } from '../../../../2-config/src/index.js'
import {
  configuredExtension, describeExtension, extensionDocument, extensionProtocol, hostOptions, Message, withExtension,
  type CommandOutcome,
} from '../../../../2-extensions/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import { readingOptions } from '../../setup/apply-options.js'
import { didYouMean, usageError, type Arguments } from '../../arguments.js'
import { extensionQuiet, extensionTimeout } from '../../setup/extension-limits.js'
import { canonicalRoot, userOfExtensions } from '../../setup/extension-flags.js'
import { interruptible } from '../../io/interrupt.js'
import { asTyped, EXIT, isTerminal, print, printError, printFound, printJson, printRaw, say } from '../../io/output.js'
import { readInput } from '../../io/read-input.js'
import { withRefusals } from '../../io/refusals.js'

const MARK = '\ufeff'
const ACTIONS = ['run', 'test', 'new', 'list', 'protocol']

/** `hermes ext`: runs extensions, tests them, writes new ones, lists those of the config, and shows the protocol. */
export async function ext(args: Arguments): Promise<number> {
  const [action, ...words] = args.positionals
  if (action === 'run' || action === 'test') {
    const interrupt = interruptible()
    const extension = await chosen(args, action, words)
    const text = await messageText(args, action)
    const work = action === 'run' ? run : (await import('./test-extension.js')).test
    return withRefusals(args, interrupt, async () => work(args, extension, text, interrupt.signal))
  }
  if (action === 'new') return (await import('./new-extension.js')).writeNew(args, words)
  if (action === 'list' || action === 'protocol') {
    const [unexpected] = words
    if (unexpected === undefined) return action === 'list' ? list(args) : protocol()
    throw usageError(`Unexpected argument: ${unexpected}`, `hermes ext ${action} takes no names.`)
  }
  const meant = action === undefined ? '' : didYouMean(action, ACTIONS)
  const hint = `${meant}Write hermes ext run, test, new, list or protocol.`
  throw usageError(action === undefined ? 'hermes ext needs to know what to do' : `Unknown: hermes ext ${action}`, hint)
}

async function list(args: Arguments): Promise<number> {
  const all = await userExtensions()
  const width = Math.max(...all.map(({ name }) => name.length))
  return printFound(args, all.map(({ name, command }) => ({ name, command })), () => (all.length === 0
    ? asTyped(`No extensions: name them below extensions: in ${shownOwnFile()} (hermes help extensions).\n`)
    : all.map(({ name, command }) => `${name.padEnd(width)}  ${escapeControls(command.join(' '))}\n`).join('')))
}

async function protocol(): Promise<number> {
  printJson(extensionProtocol(await (await import('../../../../5-executor/src/index.js')).fileVerbs()))
  return EXIT.ok
}

/** The extension on the command line: a program after `--`, or a name of the config. */
async function chosen(
  { beforeDashes }: Arguments, action: string, words: readonly string[],
): Promise<ConfiguredExtension> {
  const [program, second] = words
  const hint = `Write hermes ext ${action} NAME, or hermes ext ${action} -- COMMAND ARGUMENT….`
  if (program === undefined) throw usageError('No extension given', hint)
  if (beforeDashes === 1) return {
    name: basename(words.find(word => /\.[a-z]+$/.test(word)) ?? program),
    // A path is relative to the user's directory; the extension starts in the root.
    command: [/[\\/]/.test(program) ? resolve(program) : program, ...words.slice(1)], env: {},
  }
  if (second !== undefined) {
    throw usageError(`Unexpected argument: ${second}`, `For a program write hermes ext ${action} -- ${words.join(' ')}`)
  }
  return configuredExtension(program)
}

/** The message's text; an unreadable file is a usage error, as in every command. */
async function messageText(args: Arguments, action: string): Promise<string> {
  const file = args.value('message')
  if (file === undefined) return ''
  if (action === 'run' && args.value('command') === undefined) {
    throw usageError('--message without --command', 'Say what is to be done with it: --command NAME.')
  }
  return readInput(`ext ${action}`, file, { keepsMark: true })
}

async function run(
  args: Arguments, extension: ConfiguredExtension, text: string, signal: AbortSignal,
): Promise<number> {
  const [command, file] = [args.value('command'), args.value('message')]
  const [limitMs, quietMs] = [extensionTimeout(args), extensionQuiet(args) ?? extension.quietMs]
  // The mark is not part of the text; it is printed again before it.
  const mark = text.startsWith(MARK) ? MARK : ''
  const message = new Message(file === undefined ? undefined : {
    text: text.slice(mark.length), ...await readingOptions(args),
    ...(file !== '-' && { filePath: resolve(file) }),
  })
  const ui = userOfExtensions(args, file === '-')
  const options = hostOptions(extension, {
    root: canonicalRoot(args), message, ui, onLog: args.has('log') ? printError : undefined,
  })
  const warnings: string[] = []
  const { introduction, outcome } = await withExtension(options, signal, line => warnings.push(line), async host => ({
    introduction: host.introduction,
    outcome: command === undefined ? undefined
      : await host.execute(command, { signal, limitMs, quietMs }),
  })).finally(() => args.has('json') ? undefined : warnings.forEach(say))
  if (args.has('json')) printJson(
    extensionDocument(introduction, extension.name, {
      command, outcome, message, warnings, hasText: file !== undefined,
    }),
  )
  else if (outcome === undefined) print(describeExtension(introduction, extension.name))
  else printOutcome(extension.name, command ?? '', outcome, file === undefined ? undefined : message.text, mark)
  return outcome?.success === false ? EXIT.failed : EXIT.ok
}

function printOutcome(
  name: string, command: string, { success, message }: CommandOutcome, text: string | undefined, mark: string,
): void {
  if (!success || message !== undefined) {
    printError(`${name}: ${command}: ${escapeControls(message ?? (success ? 'done' : 'failed'))}\n`)
  }
  if (text === undefined || !success) return
  printRaw(isTerminal('stdout') ? escapeControls(text, true) : mark + text)
}
