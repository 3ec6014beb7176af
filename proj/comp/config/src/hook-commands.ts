import type { HookOptions } from '../../contracts/src/index.js'

const PLACE = /\{paths?\}/g

/** Why a command of a hook cannot be used; `undefined` where it can. */
export function problemOfHook({ run, each = 'each' }: Pick<HookOptions, 'run'> & { each?: string | undefined }): string | undefined {
  const words = typeof run === 'string' ? [run] : run
  if (words.length === 0 || words[0]?.trim() === '') return 'run: write the program to start'
  const holds = (place: string): boolean => words.some((word) => word.includes(place))
  if (each === 'never' && (holds('{path}') || holds('{paths}'))) return 'run: only hooks of after_write have {path} and {paths}'
  if (holds('{path}') && holds('{paths}')) return 'run: write {path} or {paths}, not both'
  if (each === 'run' && holds('{path}')) return 'run: {path} is one file; with each: run write {paths}'
  if (typeof run !== 'string') {
    if (/\{paths?\}/.test(words[0] ?? '')) return 'run: a file that was written cannot be the program'
    return words.some((word) => word.includes('{paths}') && word !== '{paths}') ? 'run: {paths} stands for words of its own; write it alone' : undefined
  }
  return quotedPlace(run) ? 'run: write {path} and {paths} without quotes around them: each is a word whatever its name holds' : undefined
}

/**
 * True where a place stands in quotes, in a comment or behind a backslash. In double quotes an inner shell would read
 * the name of a file as code.
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
  /** The program and its arguments; absent for a line of the shell. */
  words?: readonly string[]
  /** The line, with `$1`, `$2`, … for the files: a name is never read by the shell. */
  line?: { text: string; args: readonly string[] }
  /** For people. */
  shown: string
}

/**
 * The command of a hook for some files.
 *
 * @param paths from the root; one of them where the hook runs for each file
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

/** As the file has it, on one line. */
export function shownCommand(run: HookOptions['run']): string {
  return typeof run === 'string' ? run : run.map((word) => (/^\{paths?\}$/.test(word) ? word : shellWord(word))).join(' ')
}

/** True where the command names the files: then a long list of them is cut into several starts. */
export function takesPaths(run: HookOptions['run']): boolean {
  return (typeof run === 'string' ? [run] : run).some((word) => /\{paths?\}/.test(word))
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
