import type { VerbContext, WriteOutcome } from '../../../0-contracts/src/index.js'
import { notesOf, parentsOf, undoing, withParents, writeText, writeWithParents } from '../../../2-files/src/index.js'
import type { FileResult } from './patch-result.js'
import type { PlannedChange } from './planned-change.js'

/** Makes one planned change through the file store, completely or not at all. */
export function makeChange(verb: string, change: PlannedChange, context: VerbContext): FileResult {
  const { patch, path, target, source, match, alreadyApplied } = change
  const notes = alreadyApplied ? {} : NOTES[patch.kind](verb, change, context)
  const turned = patch.executable !== undefined && patch.kind !== 'delete'
    && context.files.setExecutable(target, patch.executable)
  return {
    path,
    change: patch.kind,
    ...(source && { from: source.path }),
    ...(match && { hunks: patch.hunks.length, match }),
    ...(turned && patch.executable !== undefined && { executable: patch.executable }),
    ...(alreadyApplied && !turned && { alreadyApplied }),
    ...notes,
  }
}

type Notes = Pick<FileResult, 'createdDirs' | 'brokeHardLink'>
type Make = (verb: string, change: PlannedChange, context: VerbContext) => Notes

const NOTES: Readonly<Record<PlannedChange['patch']['kind'], Make>> = {
  create(verb, { path, target, content = '' }, context) {
    const { written, createdDirs } = writeWithParents(verb, path, target, content, context)
    return { ...parentsOf(createdDirs), ...notesOf(written) }
  },
  modify: (verb, change, context) => writtenNotes(writeContent(verb, change, context)),
  delete(_verb, { target }, { files }) {
    files.remove(target)
    return {}
  },
  copy(verb, change, context) {
    const { path, target, source } = change
    const { createdDirs } = withParents(context.files, path, target, () => {
      if (source !== undefined) context.files.copy(source.target, target)
      undoing(() => writeContent(verb, change, context), () => context.files.remove(target))
    })
    return parentsOf(createdDirs)
  },
  rename(verb, change, context) {
    const { path, target, source } = change
    const { files } = context
    // Files that swap names: each is written over the next, whose content was read before.
    if (source === undefined || files.lstat(target) !== undefined) {
      return writtenNotes(writeContent(verb, change, context))
    }
    const { value, createdDirs } = withParents(files, path, target, () => {
      files.move(source.target, target)
      return change.content !== undefined
        ? undoing(() => writeContent(verb, change, context), () => files.move(target, source.target))
        : undefined
    })
    return { ...parentsOf(createdDirs), ...writtenNotes(value) }
  },
}

function writeContent(
  verb: string, { path, target, content }: PlannedChange, context: VerbContext,
): WriteOutcome | undefined {
  return content === undefined ? undefined : writeText(verb, path, target, content, context)
}

function writtenNotes(written: WriteOutcome | undefined): Notes {
  return written === undefined ? {} : notesOf(written)
}
