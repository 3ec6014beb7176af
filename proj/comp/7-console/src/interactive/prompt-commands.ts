import { HermesError } from '../../../0-contracts/src/index.js'
import { didYouMean, failureText, usageError } from '../../../0-text/src/index.js'
import type { InteractiveSetup } from './interactive-setup.js'

/** What the prompt's commands work on. */
export interface Prompted {
  readonly setup: Pick<InteractiveSetup, 'runCommand' | 'clipboard'>
  readonly root: string
  /** Prints for the user. */
  tell(text: string): void
  /** Text waiting to run. */
  pending(): string
  drop(): void
  add(text: string): void
  runPending(): Promise<void>
  /** Shows what the pending text would change (by a dry run), or what the last run changed. */
  showDiff(): Promise<void>
  /** Applies fixes to the pending text. */
  mend(): Promise<void>
  /** The text for the model about the last run. */
  reply(): string | undefined
  /** Only its failures. */
  feedback(): string | undefined
  showPending(): void
  quit(): void
}

interface PromptCommand {
  name: string
  /** Its argument, for help. */
  takes?: string
  help: string
  run: (prompted: Prompted, argument: string) => Promise<void> | void
}

export const PROMPT_COMMANDS: readonly PromptCommand[] = [
  { name: '/run', help: 'run what waits, as it is', run: async (prompted) => prompted.runPending() },
  { name: '/show', help: 'show what waits', run: (prompted) => prompted.showPending() },
  { name: '/drop', help: 'forget what waits (so does Ctrl-C)', run: (prompted) => prompted.drop() },
  {
    name: '/diff', help: 'what the waiting text would change, or what the last run changed',
    run: async (prompted) => prompted.showDiff(),
  },
  {
    name: '/mend', help: 'put fixes in place in what waits, where one reading is possible',
    run: async (prompted) => prompted.mend(),
  },
  {
    name: '/undo', help: 'take the last run back',
    run: async ({ setup, root }) => setup.runCommand('undo', ['--root', root]),
  },
  {
    name: '/redo', help: 'repeat the run that was taken back',
    run: async ({ setup, root }) => setup.runCommand('redo', ['--root', root]),
  },
  {
    name: '/log', help: 'the last runs in this root',
    run: async ({ setup, root }) => setup.runCommand('log', ['--root', root, '--limit', '10']),
  },
  {
    name: '/tools', takes: '[NAME]', help: 'all verbs, or one with its parameters',
    run: async ({ setup }, name) => setup.runCommand('tools', name === '' ? ['list'] : ['show', name]),
  },
  {
    name: '/paste', help: 'take the text on the clipboard, as if it were pasted',
    run: async (prompted) => prompted.add(await prompted.setup.clipboard.read()),
  },
  {
    name: '/reply', help: 'the text to hand back to the model: what the last run read and printed, what failed',
    run: (prompted) => prompted.tell(ofLastRun(prompted.reply())),
  },
  {
    name: '/feedback', help: 'of that only what failed',
    run: (prompted) => prompted.tell(ofLastRun(prompted.feedback())),
  },
  {
    name: '/copy', help: 'put the text of /reply on the clipboard',
    run: async (prompted) => {
      await prompted.setup.clipboard.write(ofLastRun(prompted.reply()))
      prompted.tell('The reply is on the clipboard.\n')
    },
  },
  { name: '/help', help: 'this list', run: (prompted) => prompted.tell(helpText()) },
  { name: '/quit', help: 'end (so does Ctrl-D)', run: (prompted) => prompted.quit() },
]

/** Whether a line is a command rather than content. */
export function isPromptCommand(line: string): boolean {
  return /^\/[a-z]+(?:\s|$)/.test(line)
}

/** Runs a command line; errors are printed. */
export async function runPromptCommand(prompted: Prompted, line: string): Promise<void> {
  const [, name = '', argument = ''] = /^(\/[a-z]+)\s*(.*?)\s*$/.exec(line) ?? []
  const command = PROMPT_COMMANDS.find((promptCommand) => promptCommand.name === name)
  try {
    if (!command) {
      const near = didYouMean(name, PROMPT_COMMANDS.map((promptCommand) => promptCommand.name))
      throw usageError(`Unknown command: ${name}`, `${near}/help lists them.`)
    }
    if (argument !== '' && command.takes === undefined) {
      throw usageError(`${name} takes nothing after it`, `Write ${name} alone.`)
    }
    await command.run(prompted, argument)
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    prompted.tell(failureText(error))
  }
}

function helpText(): string {
  const rows = PROMPT_COMMANDS.map(({ name, takes, help }) =>
    `  ${`${name}${takes === undefined ? '' : ` ${takes}`}`.padEnd(16)}${help}\n`)
  return [
    "Paste a model's answer, or an envelope (verb:, arguments:), then press Enter: its blocks run.\n",
    'What is typed runs with an empty line after a complete block. Tab completes names.\n',
    ...rows,
  ].join('')
}

function ofLastRun(text: string | undefined): string {
  if (text !== undefined) return text
  throw usageError('Nothing has run yet', 'Paste an answer first.')
}
