import { HermesError, ifPossible, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import { formatNodeError } from '../../../2-files/src/index.js'
import type { FilePatch, PatchReading } from '../../../1-edits/src/index.js'
import { listed } from '../../../0-text/src/index.js'
import { makeChange } from './make-change.js'
import type { FileResult, PatchResult } from './patch-result.js'
import { PatchPlanner } from './plan-patch.js'
import type { PatchVerb } from './planned-change.js'
import { LeftOut, nameOf } from './shared-names.js'

/**
 * Applies a patch file by file: each is decided in memory, then written once or left as it is; a failing file does not
 * affect the others. If any failed the block fails, and its `data.files` gives the outcome of each.
 *
 * @throws HermesError `INVALID_PARAMETER` for a text that is not a patch; the error of its only file, or of the first
 * that failed
 */
export async function runPatch(
  verb: PatchVerb, reading: PatchReading, context: VerbContext,
): Promise<PatchResult> {
  if (reading.problem !== undefined) {
    const { message, line, hint } = reading.problem
    throw new HermesError('INVALID_PARAMETER', `${verb}: line ${line} of the patch: ${message}`, {
      hint: `Nothing was changed. ${hint}`,
    })
  }
  const patches = reading.files.map((patch) => asCreation(patch, context))
  const plan = await new PatchPlanner(verb, context).plan(patches)
  const done = new Map<FilePatch, FileResult>()
  const errors = new Map<FilePatch, unknown>(plan.errors)
  for (const change of plan.changes) {
    try {
      done.set(change.patch, makeChange(verb, change, context))
    } catch (error) {
      errors.set(change.patch, error)
    }
  }
  if (errors.size > 0) throw failureOf(verb, patches, done, errors)
  const files = patches.flatMap((patch) => done.get(patch) ?? [])
  const alreadyApplied = files.every((file) => file.alreadyApplied)
  return { files, ...(plan.loosest && { match: plan.loosest }), ...(alreadyApplied && { alreadyApplied }) }
}

/** Turns a patch that may create its file into a creation where the file does not exist. */
function asCreation(patch: FilePatch, context: VerbContext): FilePatch {
  if (!patch.mayCreate || patch.oldPaths.some((path) => mayBeThere(path, context))) return patch
  return { ...patch, kind: 'create', oldPaths: [], newPath: patch.oldPaths[0] }
}

function mayBeThere(path: string, { gate, files }: VerbContext): boolean {
  // What is wrong with the path is told where it is used.
  return ifPossible(() => files.lstat(gate.approve(path, 'read')) !== undefined, true)
}

function failureOf(
  verb: string, patches: readonly FilePatch[], done: ReadonlyMap<FilePatch, FileResult>,
  errors: ReadonlyMap<FilePatch, unknown>,
): unknown {
  const isLeftOut = (patch: FilePatch) => errors.get(patch) instanceof LeftOut
  const all = patches.filter((patch) => errors.has(patch))
  const failed = [...all.filter((patch) => !isLeftOut(patch)), ...all.filter(isLeftOut)]
  const [first] = failed
  const error = first && errors.get(first)
  if (first === undefined || patches.length === 1) return first === undefined ? error : inWords(verb, first, error)
  const failures = failed.map((patch) => asFailure(verb, patch, errors.get(patch)))
  const files = patches.map((patch) => done.get(patch) ?? failures[failed.indexOf(patch)])
  const [failure] = failures
  const changed = [...done.values()].map(({ path }) => path)
  const rest = failures.slice(1).map(({ error: message, hint }) => [message, hint].filter(Boolean).join('. '))
  const told = changed.length > 0
    ? `Done: ${listed(changed)}; leave ${changed.length === 1 ? 'it' : 'them'} out when you send the rest again.`
    : 'Nothing was changed.'
  const more = failures.length > 1 ? `; ${failures.length - 1} more of ${patches.length} files failed` : ''
  return new HermesError(failure?.code ?? 'INTERNAL', `${failure?.error}${more}`, {
    hint: [failure?.hint, ...rest, told].filter(Boolean).join('\n'),
    data: { files },
    cause: error,
  })
}

/** Words a system error with the file's path, since the executor knows only the patch's text. */
function inWords(verb: string, patch: FilePatch, error: unknown): unknown {
  if (error instanceof HermesError || !isNodeError(error)) return error
  return new HermesError(error.code, formatNodeError(error, nameOf(patch), verb), { cause: error })
}

/**
 * A file that the patch did not change, as in `data.files`.
 *
 * @returns `hunks`: for each, where it would apply or why it cannot
 */
function asFailure(
  verb: string, patch: FilePatch, error: unknown,
): { path: string; error: string; code: string; hint?: string; hunks?: unknown } {
  const told = inWords(verb, patch, error)
  if (!(told instanceof HermesError)) throw told
  const { code, message, hint } = told
  const hunks = (told.data as { hunks?: unknown } | undefined)?.hunks
  return {
    path: nameOf(patch), error: message, code, ...(hint !== undefined && { hint }),
    ...(hunks !== undefined && { hunks }),
  }
}
