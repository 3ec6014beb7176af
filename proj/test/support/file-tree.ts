import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { outputFileSync } from 'fs-extra/esm'

/** Text files by their path below a directory, with `/`; `path/` is an empty directory. */
export type FileTree = Record<string, string>

export function writeTree(directory: string, tree: FileTree): void {
  mkdirSync(directory, { recursive: true })
  for (const [path, content] of Object.entries(tree)) {
    const target = join(directory, path)
    if (path.endsWith('/')) mkdirSync(target, { recursive: true })
    else {
      outputFileSync(target, content)
    }
  }
}

/** True for what hermes itself keeps in a root. */
export function isState(path: string): boolean {
  return /(?:^|\/)\.hermes(?:\/|$)/.test(path)
}

/** Names in a directory, but those of hermes' own state. */
export function namesIn(directory: string): string[] {
  return readdirSync(directory).filter(name => !isState(name))
}

export function readTree(directory: string): FileTree {
  const tree: FileTree = {}
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const path = relative(directory, file).split(sep).join('/')
    if (isState(path)) continue
    if (!entry.isDirectory()) tree[path] = readFileSync(file, 'utf8')
    else if (namesIn(file).length === 0) tree[`${path}/`] = ''
  }
  return tree
}
