import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { isState } from '../../../../test/support/file-tree.js'

/** Content in UTF-8 or base64, or where a link leads; `path/` is an empty directory. `../` leads beside the root. */
export type Tree = Record<string, string | { base64: string } | { link: string }>

export function plantTree(root: string, tree: Tree): void {
  mkdirSync(root, { recursive: true })
  for (const [path, leaf] of Object.entries(tree)) {
    const target = join(root, path)
    mkdirSync(path.endsWith('/') ? target : dirname(target), { recursive: true })
    if (path.endsWith('/')) continue
    if (typeof leaf === 'object' && 'link' in leaf) symlinkSync(leaf.link, target)
    else writeFileSync(target, contentOf(leaf))
  }
}

/** Everything below the directory that holds the root, temporary files too, comparable with `expectedTree`. */
export function foundTree(root: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(dirname(root), { recursive: true, withFileTypes: true })) {
    const target = join(entry.parentPath, entry.name)
    const path = relative(root, target).split(sep).join('/')
    if (isState(path)) continue
    if (entry.isSymbolicLink()) found[path] = `link to ${readlinkSync(target)}`
    else if (!entry.isDirectory()) found[path] = readFileSync(target, 'latin1')
    else if (path !== '' && readdirSync(target).length === 0) found[`${path}/`] = ''
  }
  return found
}

export function expectedTree(tree: Tree): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).map(([path, leaf]) => {
    if (typeof leaf === 'object' && 'link' in leaf) return [path, `link to ${leaf.link}`]
    return [path, contentOf(leaf).toString('latin1')]
  }))
}

function contentOf(leaf: string | { base64: string }): Buffer {
  return typeof leaf === 'string' ? Buffer.from(leaf) : Buffer.from(leaf.base64, 'base64')
}
