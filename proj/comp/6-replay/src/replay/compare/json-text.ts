import { getNodeValue, parseTree, type Node } from 'jsonc-parser'
import { unlessThrown } from '../../../../0-contracts/src/index.js'

type Path = readonly (string | number)[]

interface Edit {
  start: number
  end: number
  text: string
  value: unknown
}

/** Replaces values within a JSON text; everything else stays as written, byte for byte. */
export class JsonText {
  readonly #root: Node | undefined
  readonly #edits = new Map<number, Edit>()

  constructor(private readonly text: string) {
    // `undefined` where it is nested too deeply.
    this.#root = unlessThrown(RangeError, () => parseTree(text), undefined)
  }

  /** Whether a value exists at a path. */
  has(path: Path): boolean {
    return this.#at(path) !== undefined
  }

  /** The present value at a path. */
  value(path: Path): unknown {
    const node = this.#at(path)
    if (!node) return undefined
    const edit = this.#edits.get(node.offset)
    return edit ? edit.value : getNodeValue(node) as unknown
  }

  /** Replaces the value at a path. */
  replace(path: Path, value: unknown): void {
    const node = this.#at(path)
    if (!node) return
    const end = node.offset + node.length
    const before = this.text.slice(node.offset, end)
    const isLaidOut = typeof value === 'object'
      && (before.includes('\n') || (!/^[[{]/.test(before) && this.#indent !== ''))
    const text = isLaidOut ? this.#laidOut(value, node.offset) : JSON.stringify(value)
    this.#edits.set(node.offset, { start: node.offset, end, text, value })
  }

  /** Adds a new member to an object, formatted like its last two. */
  add(path: Path, name: string, value: unknown): void {
    const members = this.#at(path)?.children ?? []
    const [previous, last] = [members.at(-2), members.at(-1)]
    const [key, content] = last?.children ?? []
    if (!last || !key || !content) return
    const end = last.offset + last.length
    const between = previous ? this.text.slice(previous.offset + previous.length, last.offset) : ', '
    const colon = this.text.slice(key.offset + key.length, content.offset)
    const text = `${between}${JSON.stringify(name)}${colon}${JSON.stringify(value)}`
    // After a replacement of the last member itself.
    this.#edits.set(end, { start: end, end, text, value })
  }

  toString(): string {
    let text = this.text
    for (const { start, end, text: now } of [...this.#edits.values()].sort((a, b) => b.start - a.start)) {
      text = text.slice(0, start) + now + text.slice(end)
    }
    return text
  }

  #at(path: Path): Node | undefined {
    return path.reduce<Node | undefined>((node, key) => childAt(node, key), this.#root)
  }

  get #indent(): string {
    return /\n([ \t]+)\S/.exec(this.text)?.[1] ?? ''
  }

  #laidOut(value: unknown, offset: number): string {
    const line = this.text.slice(this.text.lastIndexOf('\n', offset - 1) + 1, offset)
    const base = /^[ \t]*/.exec(line)?.[0] ?? ''
    const lineEnd = this.text.includes('\r\n') ? '\r\n' : '\n'
    return JSON.stringify(value, null, this.#indent || 2).replaceAll('\n', `${lineEnd}${base}`)
  }
}

/** The child of a node; of a repeated name the last counts, as in `JSON.parse`. */
function childAt(node: Node | undefined, key: string | number): Node | undefined {
  const children = node?.children ?? []
  if (node?.type === 'array') return typeof key === 'number' ? children[key] : undefined
  if (node?.type !== 'object') return undefined
  return children.findLast((property) => property.children?.[0]?.value === String(key))?.children?.[1]
}
