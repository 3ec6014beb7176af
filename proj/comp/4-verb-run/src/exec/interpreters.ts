import { basename } from 'node:path'
import {
  caughtLater, type CommandSandbox, HermesError, isNodeError, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { type CodeLanguage, LANGUAGE_RULES } from './languages.js'
import { cancelled } from './outcome.js'
import { mayBeFound } from './program-path.js'
import { type ProgramRun, runProgram } from './run-program.js'

const PROBE_TIMEOUT_MS = 10_000

/** The call that needs an interpreter. */
export interface Seeker {
  verb: string
  lang: CodeLanguage
  /** Languages that the verb accepts, for hints. */
  languages: readonly CodeLanguage[]
  version?: string | undefined
}

/**
 * Where to ask interpreters for their version (version managers decide by directory), for which run, and until when.
 */
export interface Probe extends Pick<ProgramRun, 'runId' | 'signal'> {
  cwd: string
  sandbox: CommandSandbox
  /** As for the code itself: in a container the interpreter may differ between networks. */
  network: boolean
}

/**
 * Programs that may run code of a language, best first: all of them, or the one whose `--version` begins with the
 * components of `version` (`3.1` matches 3.1.4, not 3.11).
 * @throws HermesError `INVALID_PARAMETER` when no such version is found, `ENOENT` when none is installed, `CANCELLED`
 */
export async function interpretersFor(seeker: Seeker, probe: Probe): Promise<string[]> {
  const { verb, lang, version } = seeker
  const { programs, versioned } = LANGUAGE_RULES[lang]
  if (version === undefined) return [...programs]
  const isNumber = /^\d+(\.\d+)*$/.test(version)
  const names = new Set([...(isNumber ? prefixes(version).flatMap(versioned) : []), ...programs])
  const asked = await Promise.all([...names].map(name => versionOf(verb, name, probe)))
  if (probe.signal.aborted) throw cancelled(verb)
  const known = asked.filter(interpreter => interpreter !== undefined)
  const match = known.find(interpreter => `${interpreter.version}.`.startsWith(`${version}.`))
  if (match !== undefined) return [match.program]
  if (known.length === 0) throw notFound(seeker)
  const list = known.map(interpreter => `${interpreter.version} (${interpreter.program})`).join(', ')
  throw new HermesError('INVALID_PARAMETER', `${verb}: ${lang} ${version} not found. Found: ${list}`, {
    hint: `Write version as numbers with dots, one of those found (e.g. version = "${known[0]?.version}"), or leave it `
      + 'out.',
  })
}

/** Checks before the user is asked. @throws HermesError `ENOENT` where the language has no program on this machine */
export function requireInterpreter(
  seeker: Seeker, { sandbox, session }: Pick<VerbContext, 'sandbox' | 'session'>,
): void {
  const { programs, versioned } = LANGUAGE_RULES[seeker.lang]
  const names = [...programs, ...(seeker.version === undefined ? [] : prefixes(seeker.version).flatMap(versioned))]
  if (!names.some((name) => mayBeFound(name, session.root, sandbox))) throw notFound(seeker)
}

/** The error for a language without an installed program. */
export function notFound({ verb, lang, languages }: Seeker): HermesError {
  const { programs } = LANGUAGE_RULES[lang]
  return new HermesError('ENOENT', `${verb}: ${basename(programs[0])} not found in PATH (ENOENT)`, {
    hint: `Install ${lang}, or write the code in another language (${languages.join(', ')}).`,
  })
}

/** `3.11.2` → `3.11.2`, `3.11`, `3`. */
function prefixes(version: string): string[] {
  const parts = version.split('.')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'))
}

/** Version of a program; `undefined` if it is missing or tells none (such as a shim without a target). */
async function versionOf(
  verb: string, program: string, { sandbox, cwd, network, runId, signal }: Probe,
): Promise<{ program: string; version: string } | undefined> {
  return await caughtLater(isNodeError, async () => {
    const { stdout, stderr, exitCode } = await runProgram({
      program: await sandbox.confine({ verb, file: program, args: ['--version'], cwd, network }), runId, signal,
      timeoutMs: PROBE_TIMEOUT_MS, maxOutputBytes: 4096,
    })
    const version = exitCode === 0 ? /\d+(\.\d+)+/.exec(stdout + stderr)?.[0] : undefined
    return version === undefined ? undefined : { program, version }
  }, () => undefined)
}
