import { nulFields } from './nul-fields.js'

export interface ChangedLines {
  path: string
  oldPath?: string
  /** Lines; 0 for binary files. */
  added: number
  removed: number
  binary?: true
}

/** Reads `git diff --numstat -z`: `added TAB removed TAB path`, for renames an empty path and then old and new. */
export function parseNumstat(output: Uint8Array): ChangedLines[] {
  const files: ChangedLines[] = []
  const fields = nulFields(output)
  for (let at = 0; at < fields.length; at++) {
    const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(fields[at]!) ?? []
    if (added === undefined || removed === undefined || path === undefined) continue
    const lines = added === '-'
      ? { added: 0, removed: 0, binary: true as const }
      : { added: Number(added), removed: Number(removed) }
    if (path !== '') files.push({ path, ...lines })
    else {
      const oldPath = fields[++at] ?? ''
      files.push({ path: fields[++at] ?? '', oldPath, ...lines })
    }
  }
  return files
}
