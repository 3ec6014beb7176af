import { basename, dirname, join } from 'node:path'
import { type ApprovedPath, HermesError, orNothing, type VerbContext } from '../../../0-contracts/src/index.js'
import { nearest, shownName } from '../../../0-text/src/index.js'
import { formatNodeError } from '../store/index.js'
import { approveIfAllowed } from './approve-path.js'
import { relatedVerbs } from './related-verbs.js'
import { writtenForm } from './written-form.js'

/** An `ENOENT` error with what is needed to search for the file in other directories. */
export class MissingPath extends HermesError {
  /** A sentence on which of its directories is missing; empty where only the last name is. */
  readonly gap: string
  /** The hint already proposes another name for the file. */
  readonly isNamed: boolean

  constructor(
    verb: string,
    /** The path as the model wrote it. */
    readonly written: string,
    readonly target: ApprovedPath, problem: { gap: string; hint: string; isNamed: boolean },
  ) {
    super('ENOENT', formatNodeError({ code: 'ENOENT' }, written, verb), { hint: problem.gap + problem.hint })
    this.gap = problem.gap
    this.isNamed = problem.isNamed
  }
}

/**
 * The error for a path that does not exist: `ENOENT`, with the nearest existing name. Never proposes names that the
 * policy hides.
 */
export function missingPath(
  verb: string, written: string, target: ApprovedPath, context: Pick<VerbContext, 'gate' | 'files' | 'vocabulary'>,
): MissingPath {
  let missing: string = target
  let parent = approveIfAllowed(context.gate, dirname(missing), 'read')
  while (parent !== undefined && parent !== missing && context.files.stat(parent) === undefined) {
    missing = parent
    parent = approveIfAllowed(context.gate, dirname(missing), 'read')
  }
  const { onUnknownPath } = relatedVerbs(context)
  if (parent === undefined || parent === missing) {
    return new MissingPath(verb, written, target, { gap: '', hint: onUnknownPath, isNamed: false })
  }
  const near = nearName(basename(missing), missing !== target, parent, context)
  const hint = near === undefined
    ? onUnknownPath
    : `Did you mean '${join(writtenForm(written, target, parent), near)}'?`
  const gap = missing === target ? '' : `There is no directory '${writtenForm(written, target, missing)}'. `
  return new MissingPath(verb, written, target, { gap, hint, isNamed: near !== undefined && missing === target })
}

function nearName(
  name: string, onlyDirectories: boolean, parent: ApprovedPath, { gate, files }: Pick<VerbContext, 'gate' | 'files'>,
): string | undefined {
  // A directory that cannot be listed only costs the hint.
  const names = new Set(orNothing(() => files.list(parent), [])
    .filter(({ kind }) => !onlyDirectories || kind === 'directory' || kind === 'link')
    .map((entry) => shownName(entry.name)))
  for (;;) {
    const near = nearest(name, names)
    if (near === undefined || approveIfAllowed(gate, join(parent, near), 'read') !== undefined) return near
    names.delete(near)
  }
}
