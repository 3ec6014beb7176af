import { basename, dirname, extname } from 'node:path'
import type { Chunk } from './chunk.js'

/** What is told apart of a passage; the last two are of its file's path, and so the same for all passages of it. */
export const FIELDS = ['name', 'container', 'inner', 'comments', 'signature', 'body', 'file', 'folders'] as const
export type Field = typeof FIELDS[number]

const OF_C = /\/\*[\s\S]*?(?:\*\/|$)|(?<![:'"`\w])\/\/.*/g
const OF_SHELL = /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|(?<![^\s;])#.*/g
const OF_SQL = /--\[\[[\s\S]*?(?:\]\]|$)|(?<!\S)--.*/g
const OF_HTML = /<!--[\s\S]*?(?:-->|$)/g
const SHELL_LIKE = 'py pyi rb sh bash zsh pl r ex exs yml yaml toml tcl nim jl mk cmake ps1 tf'.split(' ')
const SQL_LIKE = 'sql lua hs elm ada adb ads vhd vhdl'.split(' ')
const HTML_LIKE = 'html htm xml vue svelte'.split(' ')
const COMMENTS = new Map([
  ...SHELL_LIKE.map((extension) => [extension, OF_SHELL] as const),
  ...SQL_LIKE.map((extension) => [extension, OF_SQL] as const),
  ...HTML_LIKE.map((extension) => [extension, OF_HTML] as const),
])

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

/**
 * The comments of a piece of code, docstrings included, and the rest. By the look of them: what is like a comment in a
 * string counts as one.
 */
function splitComments(path: string, text: string): { comments: string; code: string } {
  const pattern = COMMENTS.get(extname(path).slice(1).toLowerCase()) ?? OF_C
  const comments = text.match(pattern)
  if (comments === null) return { comments: '', code: text }
  return { comments: comments.join('\n'), code: text.replace(pattern, ' ') }
}

/** @param path below the root */
export function fieldsOfPath(path: string): { file: string; folders: string } {
  return { file: basename(path, extname(path)), folders: dirname(path) }
}
