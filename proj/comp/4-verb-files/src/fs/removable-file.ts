import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { namedAs, approvePath, missingPath, pathError, relatedVerbs } from '../../../2-files/src/index.js'

/** Removes a file or link. @throws HermesError as `removableFile`, `CHANGED_ON_DISK`, `CANCELLED` */
export async function removeFile(verb: string, path: string, context: VerbContext): Promise<void> {
  await removeTarget(path, removableFile(verb, path, context), context)
}

/** @param target what `removableFile` gave for the path */
export async function removeTarget(path: string, target: ApprovedPath, context: VerbContext): Promise<void> {
  await context.files.readAhead?.(target, context)
  namedAs(path, target, () => context.files.remove(target))
}

/** A file or link that may be removed. @throws HermesError `ENOENT`, `EISDIR`, and as the gate */
export function removableFile(verb: string, path: string, context: VerbContext): ApprovedPath {
  const target = approvePath(context.gate, verb, path, 'remove')
  const stat = context.files.lstat(target)
  if (stat === undefined) throw missingPath(verb, path, target, context)
  if (stat.kind === 'directory') throw pathError('EISDIR', verb, path, relatedVerbs(context).onRemovingDirectory)
  return target
}
