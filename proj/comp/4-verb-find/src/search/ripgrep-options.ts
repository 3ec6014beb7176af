import type { SearchRequest } from './search-request.js'

/** Sizes of a compiled expression, in bytes: it takes half a second to compile one of 10 MiB. */
const MOST_PROGRAM = '10M'
const MOST_AUTOMATON = '20M'
/** What the gate denies anyway need not be read. */
const DENIED = ['.git', '.hermes', '.hermes-tmp-*', '.ssh', 'hermes.yaml']

/** The options of every search by ripgrep: what it may read, which files, and how it names them. */
export function commonOptions({ caseSensitive, nameGlob, type }: SearchRequest): string[] {
  return [
    '--no-config', '--color=never', '--with-filename', '--null', '--path-separator=/',
    `--regex-size-limit=${MOST_PROGRAM}`, `--dfa-size-limit=${MOST_AUTOMATON}`, '--no-mmap',
    '--hidden', '--no-follow', '--no-require-git', '--no-ignore-parent', '--no-ignore-global',
    '--no-ignore-messages',
    ...DENIED.map((name) => `--iglob=!${name}`), ...typeOptions(nameGlob, type),
    caseSensitive ? '--case-sensitive' : '--ignore-case',
  ]
}

/** Types add up: of a type and a glob only the type is a sieve here. */
function typeOptions(nameGlob: string | undefined, type: string | undefined): string[] {
  if (type !== undefined) return [`--type=${type}`]
  return nameGlob === undefined ? [] : [`--type-add=searched:${nameGlob}`, '--type=searched']
}
