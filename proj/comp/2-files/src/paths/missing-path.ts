import { basename, dirname, join } from 'node:path'
import { type HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { approveIfAllowed } from './approve-path.js'
import { pathError } from './path-error.js'
import { relatedVerbs } from './related-verbs.js'
import { writtenForm } from './written-form.js'

/**
 * The error for a path where nothing is: `ENOENT` with the nearest name that exists. Names the policy hides are never
 * proposed.
 */
export function missingPath(
  verb: string, written: string, target: ApprovedPath, context: Pick<VerbContext, 'gate' | 'files' | 'vocabulary'>,
): HermesError {
  let missing: string = target
  let parent = approveIfAllowed(context.gate, dirname(missing), 'read')
  while (parent !== undefined && parent !== missing && context.files.stat(parent) === undefined) {
    missing = parent
    parent = approveIfAllowed(context.gate, dirname(missing), 'read')
  }
  const { onUnknownPath } = relatedVerbs(context)
  if (parent === undefined || parent === missing) return pathError('ENOENT', verb, written, onUnknownPath)
  const near = nearName(basename(missing), missing !== target, parent, context)
  const found = near === undefined
    ? onUnknownPath
    : `Did you mean '${join(writtenForm(written, target, parent), near)}'?`
  const hint = missing === target
    ? found
    : `There is no directory '${writtenForm(written, target, missing)}'. ${found}`
  return pathError('ENOENT', verb, written, hint)
}

function nearName(
  name: string, onlyDirectories: boolean, parent: ApprovedPath, { gate, files }: Pick<VerbContext, 'gate' | 'files'>,
): string | undefined {
  let entries
  try {
    entries = files.list(parent)
  } catch (error) {
    // A directory that cannot be listed costs the hint only.
    if (isNodeError(error)) return undefined
    throw error
  }
  const names = new Set(entries
    .filter(({ kind }) => !onlyDirectories || kind === 'directory' || kind === 'link')
    .map((entry) => entry.name))
  for (;;) {
    const near = nearest(name, names)
    if (near === undefined || approveIfAllowed(gate, join(parent, near), 'read') !== undefined) return near
    names.delete(near)
  }
}
