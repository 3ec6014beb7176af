import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { HermesError, isNodeError, nameSettingsBy, orNothing } from '../../0-contracts/src/index.js'
import { shellWord } from '../../0-text/src/index.js'
import { didYouMean, readArguments, usageError, type Arguments } from './arguments.js'
import type { Command } from './command.js'
import { COMMAND_GROUPS, COMMANDS } from './commands.js'
import { HELP_FLAG } from './common-flags.js'
import { failureDocument, printFailure, printInterrupted, type JsonOutput } from './io/failure-document.js'
import { commandHelp, generalHelp } from './help/command-help.js'
import {
  described, EXIT, flushOutput, guardOutput, isTerminal, knowCommands, knowRoot, print, printError, printJson,
  readableColumns,
} from './io/output.js'
import { isOfOwnFile, replaced } from './io/own-files.js'

/**
 * The `hermes` command line.
 *
 * @param argv without `node` and the script
 * @param packageFile file with the version; called only if that is needed
 * @returns the exit code; never rejects
 */
export async function main(argv: readonly string[], packageFile: () => URL): Promise<number> {
  guardOutput()
  nameSettingsBy('flags')
  knowCommands(COMMANDS.map(({ name }) => name))
  const json = jsonOutput(argv)
  try {
    const code = await dispatch(argv, packageFile)
    printInterrupted(code, json)
    await flushOutput()
    return code
  } catch (thrown) {
    const error = explained(thrown, packageFile)
    if (json) printFailure(failureDocument(error), json)
    printError(described(error))
    return error.code === 'CANCELLED' ? EXIT.interrupted : EXIT.usage
  }
}

/** The command of a name; `--interactive` is another name of `interactive`. */
function commandNamed(first: string | undefined): Command | undefined {
  const name = first === '--interactive' ? 'interactive' : first
  return COMMANDS.find((command) => command.name === name)
}

/**
 * The JSON output that `--json` asks for, even if the rest of the command line is wrong. Arguments after `--` belong to
 * another program.
 */
function jsonOutput(argv: readonly string[]): JsonOutput | undefined {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  if (!own.some((word) => word === '--json' || word.startsWith('--json='))) return undefined
  return commandNamed(argv[0])?.jsonLines === true ? 'lines' : 'document'
}

async function dispatch(argv: readonly string[], packageFile: () => URL): Promise<number> {
  const [name, ...rest] = argv
  const command = commandNamed(name)
  if (command) {
    const args = readArguments(rest, command.flags, command.maxPositionals)
    if (args.has('help')) {
      if (args.has('json')) printJson({ success: true, help: commandHelp(command) })
      else print(commandHelp(command, readableColumns()))
      return EXIT.ok
    }
    requireDirectories(args)
    knowRoot(args.value('root'))
    await distrustRoots(args)
    await noteWhereRunsWork(args)
    const run = await command.load()
    return run(args, { commands: COMMANDS, groups: COMMAND_GROUPS, version: () => versionOf(packageFile), packageFile })
  }
  if (name === undefined && isTerminal('stdin') && isTerminal('stdout')) return atTerminal(packageFile)
  // Several words are a message; a single one is an unknown command.
  if (name !== undefined && /\S\s+\S/.test(name)) return dispatch(['chat', ...argv], packageFile)
  const names = COMMANDS.map(candidate => candidate.name)
  if (name !== undefined && !name.startsWith('-')) {
    const isFile = orNothing(() => statSync(name).isFile(), false)
    const near = isFile ? `To run the answer in that file: hermes apply ${shellWord(name)}. ` : didYouMean(name, names)
    throw usageError(`Unknown command: ${name}`, `${near}Commands: ${names.join(', ')}.`)
  }
  const args = readArguments(argv, [HELP_FLAG, { name: 'version', short: 'v', help: 'Show the version' }], 0)
  if (args.has('version')) print(`${versionOf(packageFile)}\n`)
  else if (args.has('help')) print(generalHelp(COMMAND_GROUPS, readableColumns()))
  else throw usageError('No command given', `Commands: ${names.join(', ')}. hermes --help explains them.`)
  return EXIT.ok
}

/** Flags that name files of a run or replay: links to them are not followed where commands work. */
const OUTPUT_FLAGS = ['export', 'output', 'plan', 'record', 'report', 'run', 'token-file', 'trajectory']

async function noteWhereRunsWork(args: Arguments): Promise<void> {
  // Loaded here: only commands that write such a file need it.
  if (!OUTPUT_FLAGS.some((flag) => args.has(flag))) return
  const { noteRunRoots } = await import('../../2-files/src/index.js')
  noteRunRoots([args.value('root') ?? '.', ...args.values('allow')])
}

/** Checks `--root` and `--allow` for every command that has them, before anything else. */
function requireDirectories(args: Arguments): void {
  for (const flag of ['root', 'allow']) {
    for (const path of args.values(flag)) {
      const stats = orNothing(() => statSync(path, { throwIfNoEntry: false }), null)
      if (stats?.isDirectory()) continue
      const problem = stats === undefined ? 'no such directory'
        : stats === null ? 'cannot be looked at' : 'not a directory'
      throw usageError(`--${flag}: ${problem}: ${path}`, 'Give a directory that exists and that you may enter.')
    }
  }
}

/**
 * Distrusts programs in the root and in directories of earlier runs, where models write, before anything is started.
 */
async function distrustRoots(args: Arguments): Promise<void> {
  const { allowedBefore } = await import('../../2-config/src/index.js')
  const { distrust, distrustProject } = await import('../../2-processes/src/index.js')
  distrust([...[...args.values('root'), ...args.values('allow')].map(path => resolve(path)), ...allowedBefore()])
  // The directory may have been removed.
  const here = orNothing(() => [process.cwd()], [])
  for (const directory of [...here, ...args.values('root')]) distrustProject(directory)
}

/** `hermes` without arguments: a chat if a model is configured, else the help. */
async function atTerminal(packageFile: () => URL): Promise<number> {
  const { isModelConfigured } = await import('./setup/agent-setup.js')
  if (await isModelConfigured()) return dispatch(['chat'], packageFile)
  print(generalHelp(COMMAND_GROUPS, readableColumns()))
  return EXIT.ok
}

function versionOf(packageFile: () => URL): string {
  const { version } = JSON.parse(readFileSync(packageFile(), 'utf8')) as { version: string }
  return version
}

/** Explains errors that come from the environment rather than from a defect. */
function explained(error: unknown, packageFile: () => URL): HermesError {
  if (isNodeError(error) && error.syscall === 'uv_cwd') {
    return usageError('The working directory is gone', 'Change into one that exists: cd "$HOME"')
  }
  if (isOfOwnFile(error, packageFile())) return replaced()
  return error instanceof HermesError ? error : defect(error)
}

/** Wraps anything thrown that is not a failure of the command. */
function defect(thrown: unknown): HermesError {
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  return new HermesError('INTERNAL', `internal error: ${message}`, {
    hint: 'This is a defect of hermes; please report it with the command you gave.', cause: thrown,
  })
}
