import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { approvePath, missingPath, pathError, relatedVerbs } from '../../../2-files/src/index.js'

/** A directory that may be removed, whatever it holds. @throws HermesError `ENOENT`, `ENOTDIR`, and as the gate */
export function removableDirectory(verb: string, path: string, context: VerbContext): ApprovedPath {
  const target = approvePath(context.gate, verb, path, 'remove')
  const stat = context.files.lstat(target)
  if (stat === undefined) throw missingPath(verb, path, target, context)
  if (stat.kind === 'directory') return target
  throw pathError('ENOTDIR', verb, path, `It is a file or a link; ${relatedVerbs(context).removeFile} deletes it.`)
}
