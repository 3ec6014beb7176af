import type { HookOptions } from '../../../0-contracts/src/index.js'
import { shellWord } from '../../../0-text/src/index.js'

const PLACE = /\{paths?\}/g
/** Interpreters that can take code as an argument. */
const INTERPRETER =
  /^(?:(?:ba|da|z|k|fi|a|c|tc)?sh|busybox|node|deno|bun|python[\d.]*|perl|ruby|php|pwsh|powershell|cmd)(?:\.exe)?$/i
const SHELL = /sh(?:\.exe)?$/i
const CODE_FLAG = /^(?:-[a-z]*[cepr]|--eval|--print|--command|-command|\/[ck])$/i
const CODE_IN_FLAG = /^(?:--eval|--print|--command)=/i
/** In a shell line: places where words are parsed as code once more (`eval`, `sh -c`). */
const READ_AGAIN =
  /(?:^|[\s;|&({])(?:eval\s[^;|&\n]*|(?:\S*\/)?(?:ba|da|z|k|fi|a)?sh\s+(?:-\S+\s+)*?-[a-z]*c\s+)\{paths?\}/

/** Why the command of a hook is invalid; `undefined` if it is valid. */
export function problemOfHook(
  { run, each = 'each' }: Pick<HookOptions, 'run'> & { each?: string | undefined },
): string | undefined {
  const words = typeof run === 'string' ? [run] : run
  if (words.length === 0 || words[0]?.trim() === '') return 'run: write the program to start'
  const holds = (place: string): boolean => words.some((word) => word.includes(place))
  if (each === 'never' && (holds('{path}') || holds('{paths}'))) {
    return 'run: only hooks of after_write have {path} and {paths}'
  }
  if (holds('{path}') && holds('{paths}')) return 'run: write {path} or {paths}, not both'
  if (each === 'run' && holds('{path}')) return 'run: {path} is one file; with each: run write {paths}'
  if (typeof run !== 'string') {
    if (/\{paths?\}/.test(words[0] ?? '')) return 'run: a file that was written cannot be the program'
    const code = words.find((word, index) => /\{paths?\}/.test(word) && isCode(words, index))
    if (code !== undefined) return asCode(code)
    return words.some((word) => word.includes('{paths}') && word !== '{paths}')
      ? 'run: {paths} stands for words of its own; write it alone' : undefined
  }
  if (READ_AGAIN.test(run)) return asCode(run)
  return quotedPlace(run)
    ? 'run: write {path} and {paths} without quotes around them: each is a word whatever its name holds' : undefined
}

/**
 * Whether a word is code: it has more than a name, or follows a flag of an interpreter. A file name in it would be run
 * as code, e.g. `$(rm -rf ~).ts`.
 */
function isCode(words: readonly string[], index: number): boolean {
  const word = words[index] ?? ''
  if (/[\s"'`$;|&<>()]/.test(word)) return true
  const program = words.findLastIndex((before, at) => at < index && INTERPRETER.test(before.replace(/^.*[\\/]/, '')))
  if (program === -1) return false
  const between = words.slice(program + 1, index)
  // Behind a script, flags belong to the script; `bash -o pipefail -c` has a further word in between.
  if (/^-[a-z]*c$/.test(between.at(-1) ?? '') && SHELL.test(words[program] ?? '')) return true
  return between.every((flag) => /^[-/]/.test(flag))
    && (CODE_IN_FLAG.test(word) || between.some((flag) => CODE_FLAG.test(flag)))
}

function asCode(word: string): string {
  const place = word.includes('{paths}') ? '{paths}' : '{path}'
  return `run: ${place} would be read as code, whatever the file is called; hand it over as a word: [sh, -c, `
    + `'cat "$@"', sh, "${place}"]`
}

/**
 * Whether a placeholder is in quotes, in a comment or behind a backslash. In double quotes an inner shell would parse
 * the file name as code.
 */
function quotedPlace(line: string): boolean {
  let quote: string | undefined
  const places = new Set([...line.matchAll(PLACE)].map(({ index }) => index))
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]
    if (places.has(at) && (quote !== undefined || line[at - 1] === '\\')) return true
    if (sign === '\\' && quote !== "'") {
      if (!places.has(at + 1)) at++
    } else if (sign === quote) quote = undefined
    else if (quote === undefined && (sign === "'" || sign === '"' || sign === '`')) quote = sign
  }
  return false
}

/** What a hook starts for some files. */
export interface HookCommand {
  /** Program and arguments; absent for a shell line. */
  words?: readonly string[]
  /** A shell line with `$1`, `$2`, … for the files, so that the shell never parses their names. */
  line?: { text: string; args: readonly string[] }
  /** For display. */
  shown: string
}

/**
 * The command of a hook for some files.
 *
 * @param paths relative to the root; a single one where the hook runs for each file
 */
export function hookCommand(run: HookOptions['run'], paths: readonly string[]): HookCommand {
  const args = paths.map((path) => (path.startsWith('-') ? `./${path}` : path))
  const [path = ''] = args
  if (typeof run !== 'string') {
    const words = run.flatMap((word) => (word === '{paths}' ? args : [word.replaceAll('{path}', () => path)]))
    return { words, shown: words.map(shellWord).join(' ') }
  }
  const shown = run.replace(PLACE, (place) => (place === '{path}' ? shellWord(path) : args.map(shellWord).join(' ')))
  const text = run.replace(PLACE, (place) => (place === '{path}' ? '"$1"' : '"$@"'))
  return { line: { text, args }, shown }
}

/** The command as in the file, on one line. */
export function shownCommand(run: HookOptions['run']): string {
  return typeof run === 'string' ? run
    : run.map((word) => (/^\{paths?\}$/.test(word) ? word : shellWord(word))).join(' ')
}

/** Whether the command has placeholders for files; a long list is then divided into several starts. */
export function takesPaths(run: HookOptions['run']): boolean {
  return (typeof run === 'string' ? [run] : run).some((word) => /\{paths?\}/.test(word))
}
