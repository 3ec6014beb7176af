import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import fc from 'fast-check'
import { outputFileSync } from 'fs-extra/esm'

export interface RandomFile {
  text: string
  executable: boolean
}
export type RandomTree = Map<string, RandomFile>

/** Lines that patches could take for their own. */
const words = fc.constantFrom(
  '', '', 'a', 'b', '}', '  return x', '\tif (y) {', 'über', '-- sql', '++ more', '@@ odd', '*** x', 'tail ', 'cr\r',
  '\\ No',
)
const lines = fc.oneof({ weight: 3, arbitrary: words }, fc.nat(60).map((n) => `line ${n}`))
export const texts = fc.tuple(fc.array(lines, { maxLength: 30 }), fc.constantFrom('\n', '\n', '\r\n'), fc.boolean())
  .map(([rows, ending, final]) => rows.join(ending) + (final && rows.length > 0 ? ending : ''))
const files = fc.record({ text: texts, executable: fc.boolean() })
const NAMES = [
  'a', 'b.txt', 'src/a', 'src/deep/er/c.ts', 'with space/d e.md', 'ünï/côde.txt', 'q"uote\\s', 'tab\tname', 'b/b',
]
const entries = fc.tuple(fc.constantFrom(...NAMES), files)
export const trees = fc.uniqueArray(entries, { selector: ([name]) => name, maxLength: 6 })
  .map((list): RandomTree => new Map(list))

export interface LineEdit {
  at: number
  count: number
  lines: string[]
}
const lineEdits = fc.record({ at: fc.nat(40), count: fc.nat(3), lines: fc.array(words, { maxLength: 3 }) })
export const edits = fc.array(lineEdits, { maxLength: 4 })

export interface TreeChange {
  kind: 'keep' | 'edit' | 'delete' | 'rename' | 'copy' | 'mode'
  edits: LineEdit[]
  /** Who may execute it changes. */
  turn: boolean
  to: string
}
const kinds = fc.constantFrom('keep', 'edit', 'edit', 'edit', 'delete', 'rename', 'copy', 'mode')
const treeChanges = fc.record({ kind: kinds, edits, turn: fc.boolean(), to: fc.constantFrom(...NAMES, 'new/x', 'y') })
/** One for each file of a tree. */
export const changes: fc.Arbitrary<TreeChange[]> = fc.array(treeChanges, { minLength: 6, maxLength: 6 })
export const created = fc.array(fc.tuple(fc.constantFrom('new/one', 'new/two words'), files), { maxLength: 2 })

export function edited(content: string, list: readonly LineEdit[]): string {
  const rows = content.split('\n')
  for (const { at, count, lines: added } of list) rows.splice(at % (rows.length + 1), count, ...added)
  return rows.join('\n')
}

export function changed(
  tree: RandomTree, list: readonly TreeChange[], added: readonly (readonly [string, RandomFile])[] = [],
): RandomTree {
  const next: RandomTree = new Map(tree)
  for (const [index, [name, old]] of [...tree].entries()) {
    const change = list[index]
    if (change === undefined || change.kind === 'keep') continue
    const { kind, to, turn } = change
    const content = { text: edited(old.text, kind === 'mode' ? [] : change.edits), executable: old.executable !== turn }
    if (kind === 'delete' || kind === 'rename') next.delete(name)
    if (kind === 'edit' || kind === 'mode') next.set(name, content)
    if ((kind === 'rename' || kind === 'copy') && !isInTheWay(next, to)) next.set(to, content)
  }
  for (const [name, content] of added) if (!isInTheWay(next, name)) next.set(name, content)
  return next
}

/** A file cannot be where a directory is, nor below a file. */
function isInTheWay(tree: RandomTree, name: string): boolean {
  return [...tree.keys()].some((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`))
}

export function plant(root: string, tree: RandomTree): void {
  mkdirSync(root, { recursive: true })
  for (const name of readdirSync(root)) if (name !== '.git') rmSync(join(root, name), { recursive: true })
  for (const [name, { text: content, executable }] of tree) {
    outputFileSync(join(root, name), content, { mode: executable ? 0o755 : 0o644 })
  }
}

/** What git sees of a directory: no empty directories, and of modes who may execute. */
export function gitView(root: string): Record<string, RandomFile> {
  const view: Record<string, RandomFile> = {}
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(root, path)
    if (name.startsWith('.git') || !entry.isFile()) continue
    view[name] = { text: readFileSync(path, 'latin1'), executable: (statSync(path).mode & 0o100) !== 0 }
  }
  return view
}
