import { basename, dirname, extname } from 'node:path'
import type { Chunk } from './chunk.js'
import { splitComments } from './comments.js'

/** What is told apart of a passage; the last two are of its file's path, and so the same for all passages of it. */
export const FIELDS = ['name', 'container', 'inner', 'comments', 'signature', 'body', 'file', 'folders'] as const
export type Field = typeof FIELDS[number]

type OfPassage = Exclude<Field, 'file' | 'folders'>

/**
 * The text of each field: the definition's name; what it is in; names of what is in it, or a heading; comments and
 * docstrings; its first line of code; all its code.
 *
 * @param isCode false for prose, which is all body
 */
export function fieldsOf(
  { symbol, names }: Pick<Chunk, 'symbol' | 'names'>, text: string, path: string, isCode: boolean,
): Record<OfPassage, string> {
  const { comments, code } = isCode ? splitComments(path, text) : { comments: '', code: text }
  const dot = symbol?.lastIndexOf('.') ?? -1
  return {
    name: symbol?.slice(dot + 1) ?? '',
    container: symbol?.slice(0, Math.max(0, dot)) ?? '',
    inner: names.join(' '),
    comments,
    signature: symbol === undefined ? '' : /\S.*/.exec(code)?.[0] ?? '',
    body: code,
  }
}

/** @param path below the root */
export function fieldsOfPath(path: string): { file: string; folders: string } {
  return { file: basename(path, extname(path)), folders: dirname(path) }
}
