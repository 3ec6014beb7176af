import { type ApprovedPath, HermesError } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import type { FilePatch } from '../../../1-edits/src/index.js'
import type { PatchVerb, PlannedChange } from './planned-change.js'

/** Tracks which parts of a patch concern the same file: they are applied together or not at all. */
export class SharedNames {
  readonly #parts = new Map<ApprovedPath, Set<FilePatch>>()

  note(patch: FilePatch, target: ApprovedPath): void {
    valueAt(this.#parts, target, () => new Set<FilePatch>()).add(patch)
  }

  /** Makes every part fail that shares a file with a failed one. */
  spread(verb: PatchVerb, errors: Map<FilePatch, unknown>): void {
    const shared = [...this.#parts.values()].filter((parts) => parts.size > 1)
    for (let before = -1; before !== errors.size;) {
      before = errors.size
      for (const parts of shared) {
        const failed = [...parts].find((patch) => errors.has(patch))
        const cause = failed && errors.get(failed)
        if (failed === undefined) continue
        for (const patch of parts) if (!errors.has(patch)) errors.set(patch, leftOut(verb, patch, failed, cause))
      }
    }
  }
}

/** The error of a part that is itself correct, and fails because of another. */
export class LeftOut extends HermesError {}

function leftOut(verb: PatchVerb, patch: FilePatch, failed: FilePatch, cause: unknown): LeftOut {
  const code = cause instanceof HermesError ? cause.code : 'INVALID_PARAMETER'
  const message = `${verb}: ${nameOf(patch)}: not done, since the part of line ${failed.line} of the patch, which is `
    + 'about the same file, failed'
  return new LeftOut(code, message, { hint: 'Send both again.', cause })
}

/**
 * Rejects parts that remove a file which an earlier part changes or removes: in any order one of them would be lost. A
 * unified diff may change a file and rename it: as in git, the rename then means the file as it was.
 */
export function refuseContradictions(
  verb: PatchVerb, changes: readonly PlannedChange[], errors: Map<FilePatch, unknown>,
): void {
  const written = new Set<ApprovedPath>()
  const taken = new Set<ApprovedPath>()
  for (const { patch, path, target, source } of changes) {
    const goes = patch.kind === 'delete' ? target : patch.kind === 'rename' ? source?.target : undefined
    const isAsItWas = verb === 'patch_unified' && patch.kind === 'rename'
    if (goes !== undefined && (taken.has(goes) || (written.has(goes) && !isAsItWas))) {
      const name = source?.path ?? path
      const message = `${verb}: ${name}: the patch takes it away, `
        + 'but it has another part that changes it or takes it away'
      errors.set(patch, new HermesError('INVALID_PARAMETER', message, {
        hint: 'Write one part for each file: what changes in it, and its new name, belong together.',
      }))
    }
    if (goes !== undefined) taken.add(goes)
    if (patch.kind !== 'delete') written.add(target)
  }
}

export function nameOf({ newPath, oldPaths }: FilePatch): string {
  return newPath ?? oldPaths[0] ?? ''
}
