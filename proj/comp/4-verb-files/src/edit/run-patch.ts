import { HermesError, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import { formatNodeError } from '../../../2-files/src/index.js'
import type { FilePatch, PatchReading } from '../../../1-edits/src/index.js'
import { listed } from '../../../0-text/src/index.js'
import { makeChange } from './make-change.js'
import type { FileResult, PatchResult } from './patch-result.js'
import { planPatch } from './plan-patch.js'
import type { PatchVerb } from './planned-change.js'
import { LeftOut } from './shared-names.js'

/** A file of the patch that was not changed, as `data.files` shows it. */
interface FileFailure {
  path: string
  error: string
  code: string
  hint?: string
  /** Of each hunk, where it would be applied or why it cannot be. */
  hunks?: unknown
}

/**
 * Applies a patch, file by file: each is decided in memory and written once, or left as it is; one that fails costs
 * no other. Where any failed, so does the block, and its `data.files` says what became of each.
 *
 * @throws HermesError `INVALID_PARAMETER` for what is no patch; the error of the one file of a patch, or of the first
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
  const plan = await planPatch(verb, patches, context)
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

/** A patch that may create its file does so where none is there. */
function asCreation(patch: FilePatch, context: VerbContext): FilePatch {
  if (!patch.mayCreate || patch.oldPaths.some((path) => mayBeThere(path, context))) return patch
  return { ...patch, kind: 'create', oldPaths: [], newPath: patch.oldPaths[0] }
}

function mayBeThere(path: string, { gate, files }: VerbContext): boolean {
  try {
    return files.lstat(gate.approve(path, 'read')) !== undefined
  } catch (error) {
    // What is wrong with the path is told where it is used.
    if (error instanceof HermesError || isNodeError(error)) return true
    throw error
  }
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

/** The executor knows the patch's text only, not the path a system's error is about. */
function inWords(verb: string, patch: FilePatch, error: unknown): unknown {
  if (error instanceof HermesError || !isNodeError(error)) return error
  return new HermesError(error.code, formatNodeError(error, nameOf(patch), verb), { cause: error })
}

function nameOf({ newPath, oldPaths }: FilePatch): string {
  return newPath ?? oldPaths[0] ?? ''
}

function asFailure(verb: string, patch: FilePatch, error: unknown): FileFailure {
  const path = nameOf(patch)
  if (error instanceof HermesError) {
    const hunks = (error.data as { hunks?: unknown } | undefined)?.hunks
    const { code, message, hint } = error
    return { path, error: message, code, ...(hint !== undefined && { hint }), ...(hunks !== undefined && { hunks }) }
  }
  if (!isNodeError(error)) throw error
  return { path, error: formatNodeError(error, path, verb), code: error.code }
}
