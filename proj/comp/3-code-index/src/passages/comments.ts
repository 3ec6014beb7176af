import { extname } from 'node:path'

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

/**
 * The comments of a piece of code, docstrings included, and the rest. By the look of them: what is like a comment in a
 * string counts as one.
 */
export function splitComments(path: string, text: string): { comments: string; code: string } {
  const pattern = COMMENTS.get(extname(path).slice(1).toLowerCase()) ?? OF_C
  const comments = text.match(pattern)
  if (comments === null) return { comments: '', code: text }
  return { comments: comments.join('\n'), code: text.replace(pattern, ' ') }
}
