import { accessSync, constants } from 'node:fs'
import * as v from 'valibot'
import {
  absolutePath, defineVerb, HermesError, integer, isNodeError, text, type VerbContext,
} from '../../contracts/src/index.js'
import { codeArguments } from './code-argument.js'
import { interpretersFor, notFound } from './interpreters.js'
import { LANGUAGES, type Language } from './languages.js'
import { cancelled, execData } from './outcome.js'
import { runProgram, type ProgramOutcome, type ProgramRun } from './run-program.js'

/** Seed 002 `exec`, contract section 3: `{stdout, stderr, exit_code}`. */
export const exec = defineVerb({
  name: 'exec',
  vocabulary: 'clada',
  description: 'Run code in Python, JavaScript, Bash or Ruby and return what it printed.',
  category: 'execution',
  version: '1.0.0',
  type: 'dynamic',
  accessibility: ['llm'],
  constraints: [
    'stdin is closed.',
    'Every process the code starts ends with it, background ones too: on Linux also in a session of its own (setsid); '
      + 'elsewhere a process that leaves its group may survive.',
    'Of each output stream at most the configured number of bytes is kept, from its start and its end.',
    'An exit code other than 0 is a failure; its output is kept.',
  ],
  primary: 'code',
  args: v.strictObject({
    code: text('The program. JavaScript as `node -e` takes it: CommonJS, with `require`.'),
    lang: v.pipe(v.picklist(LANGUAGES), v.description('Its language.')),
    version: v.optional(text('Version of the interpreter, e.g. `3.11`: its `--version` begins with it.')),
    cwd: v.optional(absolutePath('Directory to run in. Default: the root.')),
    timeout: v.optional(integer('Time limit in milliseconds, at most the user\'s limit, which is the default.', 1)),
  }),
  result: v.strictObject({
    stdout: v.string(),
    stderr: v.string(),
    exit_code: v.number(),
  }),
  examples: [
    { code: "echo 'hello from shell'", lang: 'bash' },
    { code: 'print(6 * 7)', lang: 'python', timeout: 10_000 },
    { code: "console.log(require('node:path').sep)", lang: 'javascript' },
  ],
  async handler({ code, lang, version, cwd, timeout }, context) {
    if (code.includes('\0')) {
      throw new HermesError('INVALID_PARAMETER', 'exec: code must not contain NUL characters', {
        hint: 'Write an escape such as \\0 in the code instead.',
      })
    }
    const longestMs = context.limits.commandTimeoutMs
    const run = {
      cwd: workingDirectory(cwd, context),
      timeoutMs: Math.min(timeout ?? longestMs, longestMs),
      signal: context.signal,
    }
    const programs = await interpretersFor(lang, version, run)
    const { args, dispose } = codeArguments(lang, code)
    try {
      const outcome = await runFirst(lang, programs, { ...run, args, maxOutputBytes: context.limits.maxOutputBytes })
      return execData(lang, outcome, { timeoutMs: run.timeoutMs, longestMs })
    } finally {
      dispose()
    }
  },
})

function workingDirectory(cwd: string | undefined, { gate, files, session }: VerbContext): string {
  const directory = gate.approve(cwd ?? session.root, 'read')
  const found = files.stat(directory)
  const shown = cwd ?? session.root
  if (found?.kind === 'directory') {
    requireEnterable(directory, shown)
    return directory
  }
  if (found === undefined) {
    throw new HermesError('ENOENT', `exec: cwd '${shown}' does not exist (ENOENT)`, {
      hint: 'Give an existing directory, create it first, or leave cwd out to run in the root.',
    })
  }
  throw new HermesError('ENOTDIR', `exec: cwd '${shown}' is not a directory (ENOTDIR)`, {
    hint: 'Give a directory, or leave cwd out to run in the root.',
  })
}

/** Asked first: the system's own error for it would name the program. */
function requireEnterable(directory: string, shown: string): void {
  try {
    accessSync(directory, constants.X_OK)
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `exec: cwd '${shown}' may not be entered (${error.code})`, {
      hint: 'Give another directory, or leave cwd out to run in the root.',
    })
  }
}

/** Runs the first of the programs that is there. */
async function runFirst(
  lang: Language, programs: readonly string[], run: Omit<ProgramRun, 'file'>,
): Promise<ProgramOutcome> {
  for (const file of programs) {
    if (run.signal.aborted) throw cancelled()
    try {
      return await runProgram({ ...run, file })
    } catch (error) {
      if (!isNodeError(error)) throw error
      if (error.code !== 'ENOENT') {
        throw new HermesError(error.code, `exec: ${file} could not be started (${error.code})`, {
          cause: error, hint: `Check that ${file} may be executed and that its environment is not too large.`,
        })
      }
    }
  }
  throw notFound(lang)
}
