import { join, relative, resolve } from 'node:path'
import { canonicalDirectory, isInside } from '../../2-files/src/index.js'

/** How the editor names a file: below the directories that it has named, also where these are links. */
export type EditorPaths = (path: string) => string

/** @param directories absolute, as the editor has them; hermes works in what they lead to */
export function editorPaths(directories: readonly string[]): EditorPaths {
  const all = directories.map((directory) => ({ named: resolve(directory), real: canonicalDirectory(directory) }))
  return (path) => {
    const root = all.find(({ real }) => isInside(real, path))
    return root ? join(root.named, relative(root.real, path)) : path
  }
}
