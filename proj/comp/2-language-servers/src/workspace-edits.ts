import { valueAt } from '../../0-text/src/index.js'
import { pathOfUri } from '../../2-files/src/index.js'
import type { OpenDocuments } from './open-documents.js'
import type { WorkspaceEdit } from './protocol-schemas.js'
import { editRefused } from './language-server-failures.js'
import type { TextEdit } from './text-edits.js'

/** The edits that a server wants of one file. */
export interface EditedFile {
  /** Absolute, as the server names it: no gate has seen it. */
  path: string
  edits: TextEdit[]
}

/**
 * What a workspace edit does to each file. Only texts are edited: where it makes, moves or deletes a file, none of it
 * is taken.
 *
 * @throws HermesError `SERVER_FAILED`
 */
export function filesOfEdit(
  name: string, { changes, documentChanges }: WorkspaceEdit, documents: OpenDocuments,
): EditedFile[] {
  const files = new Map<string, EditedFile>()
  const add = (uri: string, edits: readonly TextEdit[]): void => {
    const path = pathOfUri(uri)
    if (path === undefined) throw editRefused(name, `${uri} names no file of this machine`)
    valueAt(files, path, () => ({ path, edits: [] })).edits.push(...edits)
  }
  // Who understands document changes takes these alone (LSP 3.17, WorkspaceEdit).
  for (const change of documentChanges ?? []) {
    if ('kind' in change) throw editRefused(name, `it would ${change.kind} a file`)
    const { uri, version } = change.textDocument
    const path = pathOfUri(uri)
    const known = path === undefined ? undefined : documents.get(path)?.version
    if (version !== null && version !== undefined && known !== undefined && version !== known) {
      throw editRefused(name, `it is for version ${version} of ${uri}, which is at ${known}`)
    }
    add(uri, change.edits)
  }
  if (!documentChanges) for (const [uri, edits] of Object.entries(changes ?? {})) add(uri, edits)
  return [...files.values()].filter(({ edits }) => edits.length > 0)
}
