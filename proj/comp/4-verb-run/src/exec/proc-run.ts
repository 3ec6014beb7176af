import * as v from 'valibot'
import {
  ACCESS, admitCommand, NETWORK, networkData, reachesNetwork, runWithMore, SANDBOX, type CommandCall, type Ran,
} from '../command-processes/index.js'
import {
  boundedText, defineVerb, HermesError, isNodeError, text, texts, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { shellWord } from '../../../0-text/src/index.js'
import { cancelled, checkedExit, exitCodeOf, killed, wallsOf } from './outcome.js'
import { BACKGROUND_RULE, SANDBOX_RULE } from './output-schema.js'
import { requirePassable } from './plain-text.js'
import { mayBeFound, missingProgram, programPath } from './program-path.js'
import { MAX_OUTPUT_FILE_BYTES, openRunFiles, type RunFiles } from './run-files.js'
import { notStarted } from './run-first.js'
import { type ProcessOutcome, runProcess } from './run-process.js'
import { workingDirectory } from './working-directory.js'

const VERB = 'proc.run'
/** How much of the output is searched for the cause of a failure, in bytes. */
const LAST_BYTES = 4096

/** Runs a program by name and arguments, without a shell; its output goes to files. */
export const procRun = defineVerb({
  name: VERB,
  vocabulary: 'hermes',
  version: '3.1.0',
  description: 'Run a program with a list of arguments, without a shell, in the root. What it prints goes into two '
    + 'files, which fs.readFile, fs.readRange and the like can read.',
  category: 'execution',
  type: 'dynamic',
  constraints: [
    'No shell: wildcards, pipes and variables reach the program as they are written.',
    SANDBOX_RULE,
    'stdin is closed.',
    BACKGROUND_RULE,
    'A program that prints more than 100 MiB to one stream is killed; the first 100 MiB are kept.',
    'The output of the newest 50 runs is kept; a run is one text, with all its calls.',
    'The time limit is 120 seconds unless the user set another.',
    'An exit code other than 0 is a failure; its output is kept.',
  ],
  primary: 'executable',
  asksWithCommand: true,
  args: v.strictObject({
    executable: boundedText(
      'The program: a name to be found in PATH, e.g. "git", or a path, absolute or from the root, e.g. "./build.sh".',
      { min: 1 },
    ),
    arguments: texts('Its arguments, one text each, e.g. ["log", "-1"]; [] for none.'),
  }),
  result: v.strictObject({
    exitCode: v.pipe(
      v.number(), v.integer(), v.description('The exit code; 128 + n after signal n, 124 at the time limit.'),
    ),
    sandbox: SANDBOX,
    access: ACCESS,
    network: NETWORK,
    stdoutPath: text('Absolute path of the file that holds what it printed to standard output.'),
    stderrPath: text('Absolute path of the file that holds what it printed to standard error.'),
  }),
  examples: [
    { executable: 'echo', arguments: ['hello', 'two words'] },
    { executable: 'ls', arguments: [] },
  ],
  async handler({ executable, arguments: args }, context) {
    requirePassable(VERB, 'executable', executable)
    for (const [index, arg] of args.entries()) requirePassable(VERB, `arguments[${index}]`, arg)
    const cwd = workingDirectory(VERB, 'the root', undefined, context)
    const program = programPath(executable, context)
    if (!mayBeFound(program, context.session.root, context.sandbox)) throw missingProgram(VERB, executable, program)
    const words = [executable, ...args]
    const call: CommandCall = {
      verb: VERB, source: { kind: 'program', words }, shown: words.map(shellWord).join(' '), cwd, mayBeOpened: true,
    }
    const admitted = await admitCommand(call, context)
    if (context.signal.aborted) throw cancelled(VERB)
    const opened: RunFiles[] = []
    try {
      const ran = await runWithMore(call, admitted, async (allowed) => {
        const files = openRunFiles(VERB, context)
        opened.push(files)
        return { ...await start(executable, args, cwd, files, allowed), files }
      }, (outcome) => wallsOf(outcome, ends(outcome.files)))
      return judge(executable, ran, context)
    } finally {
      for (const { stdout, stderr } of opened) {
        stdout.close()
        stderr.close()
      }
    }
  },
})

/** The end of both output files. */
function ends({ stdout, stderr }: RunFiles): { stdout: string; stderr: string } {
  return { stdout: stdout.end(LAST_BYTES), stderr: stderr.end(LAST_BYTES) }
}

async function start(
  executable: string, args: readonly string[], cwd: string, files: RunFiles, context: VerbContext,
): Promise<ProcessOutcome> {
  const file = programPath(executable, context)
  const { limits, noteProcess, runId, sandbox, signal, access, printing } = context
  try {
    const program = await sandbox.confine({
      verb: VERB, file, args, cwd, network: reachesNetwork(context), access,
    })
    const { commandTimeoutMs: timeoutMs } = limits
    return await runProcess({ program, runId, timeoutMs, noteProcess, signal, printing }, files)
  } catch (error) {
    files.remove()
    if (!isNodeError(error)) throw error
    if (error.code === 'ENOENT') throw missingProgram(VERB, executable, file)
    throw notStarted(VERB, executable, error, error.code === 'E2BIG'
      ? 'Its arguments are too long: write them to a file, and pass the name of that.'
      : `Check that ${executable} is a file that may be executed (chmod +x).`)
  }
}

function judge(
  executable: string, { outcome, access, note }: Ran<ProcessOutcome & { files: RunFiles }>, context: VerbContext,
) {
  const { sandbox, reached, files: { stdout, stderr } } = outcome
  const about = { sandbox, ...(access !== undefined && { access }), ...networkData(reached) }
  const data = (exitCode: number) => ({ exitCode, ...about, stdoutPath: stdout.path, stderrPath: stderr.path })
  for (const [name, file] of [['stdout', stdout], ['stderr', stderr]] as const) {
    if (file.failure) throw notKept(name, file.failure, data(exitCodeOf(outcome)))
    if (file.isFull) {
      const most = `${MAX_OUTPUT_FILE_BYTES / 2 ** 20} MiB`
      const message = `${VERB}: ${executable} printed more than ${most} to ${name} (OUTPUT_LIMIT)`
      throw new HermesError('OUTPUT_LIMIT', message, {
        data: data(exitCodeOf(outcome)), hint: `${killed()} The first ${most} are in the file. Make it print less.`,
      })
    }
  }
  const { commandTimeoutMs: timeoutMs } = context.limits
  const limit = { timeoutMs, longestMs: timeoutMs }
  const exitCode = checkedExit({ verb: VERB, program: executable, limit }, outcome, {
    data, ...ends(outcome.files), note,
  })
  const told = [note, reached?.().note].filter(Boolean).join('\n')
  if (told !== '') context.advise?.(told)
  return data(exitCode)
}

function notKept(stream: string, error: Error, data: object): HermesError {
  const code = isNodeError(error) ? error.code : 'EIO'
  return new HermesError(code, `${VERB}: ${stream} could not be written to its file (${code})`, {
    data, cause: error, hint: `${killed()} Make room on the disk of the root, then send the block again.`,
  })
}
