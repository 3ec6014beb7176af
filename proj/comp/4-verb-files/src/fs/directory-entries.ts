import { join } from 'node:path'
import * as v from 'valibot'
import { type ApprovedPath, described, type DirectoryEntry, type VerbContext } from '../../../0-contracts/src/index.js'
import { isOddName } from '../../../0-text/src/index.js'
import {
  approveEntryIfAllowed, approveIfAllowed, approvePath, missingPath, pathError, relatedVerbs,
} from '../../../2-files/src/index.js'

/** What results call each kind of entry. */
export const ENTRY_TYPES = { file: 'file', directory: 'directory', link: 'symlink', other: 'other' } as const

export const entryType = described(v.picklist(Object.values(ENTRY_TYPES)), 'What it is; symbolic links are not '
  + 'followed.')

export interface AllowedEntry extends DirectoryEntry {
  /** Of a link the link itself. */
  path: ApprovedPath
}

/** What is in a directory, sorted by name; entries the policy denies are left out. @throws Node's errors */
export function allowedEntries(
  directory: ApprovedPath, { files, gate }: Pick<VerbContext, 'files' | 'gate'>,
): AllowedEntry[] {
  return files.list(directory).flatMap(({ name, kind }) => {
    // Of a link the link itself, wherever it leads. What is none needs no look: on another host each would be a wait.
    const path = kind === 'link' || isOddName(name) ? approveIfAllowed(gate, join(directory, name), 'list')
      : approveEntryIfAllowed(gate, directory, name, 'list')
    return path === undefined ? [] : [{ name, kind, path }]
  })
}

/** A directory that is to be listed. @throws HermesError `ENOENT`, `ENOTDIR`, and as the gate */
export function requireDirectory(verb: string, path: string, context: VerbContext): ApprovedPath {
  const directory = approvePath(context.gate, verb, path, 'read')
  const stat = context.files.stat(directory)
  if (stat === undefined) throw missingPath(verb, path, directory, context)
  if (stat.kind === 'directory') return directory
  throw pathError('ENOTDIR', verb, path, `It is a file; ${relatedVerbs(context).read} reads it.`)
}
