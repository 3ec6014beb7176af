import { PATTERN_EXTENSIONS, type PatternId } from './patterns/pattern-extensions.js'

/** Languages with a grammar, and their file extensions. */
const GRAMMARS = {
  typescript: ['ts', 'mts', 'cts'],
  tsx: ['tsx'],
  javascript: ['js', 'jsx', 'mjs', 'cjs'],
  python: ['py', 'pyi', 'pyw'],
  go: ['go'],
  rust: ['rs'],
  java: ['java'],
  c: ['c'],
  cpp: ['cpp', 'cc', 'cxx', 'c++', 'h', 'hpp', 'hh', 'hxx', 'h++', 'ipp', 'inl', 'tpp'],
  csharp: ['cs', 'csx'],
  ruby: ['rb', 'rake', 'gemspec', 'ru'],
  php: ['php', 'phtml'],
  kotlin: ['kt', 'kts'],
  swift: ['swift'],
  scala: ['scala', 'sc', 'sbt'],
  elixir: ['ex', 'exs'],
  lua: ['lua', 'rockspec'],
  bash: ['sh', 'bash', 'bats', 'ksh'],
} as const

/** Page formats with embedded scripts, which are parsed in place. */
const PAGES = { vue: ['vue'], svelte: ['svelte'], astro: ['astro'] } as const

export type GrammarId = keyof typeof GRAMMARS
export type PageId = keyof typeof PAGES
/** Languages parsed by a grammar, completely or in parts. */
export type ParsedId = GrammarId | PageId
export type LanguageId = ParsedId | 'notebook' | PatternId

const NAMES = [
  'TypeScript', 'JavaScript', 'Python', 'Go', 'Rust', 'Java', 'C', 'C++', 'C#', 'Ruby', 'PHP', 'Kotlin', 'Swift',
  'Scala', 'Elixir', 'Lua', 'shell',
]
const OFTEN_USED = ['TypeScript', 'Python', 'Go', 'Java', 'C++', 'Rust']

/** Names for messages. */
export const LANGUAGE_NAMES = `${NAMES.join(', ')}, and scripts of Vue, Svelte and Astro`
/** Names for descriptions, which cost models tokens in each request. */
export const LANGUAGES_IN_SHORT = (
  `${OFTEN_USED.join(', ')} and ${NAMES.length - OFTEN_USED.length + Object.keys(PAGES).length} more`
)

export const GRAMMAR_IDS = Object.keys(GRAMMARS) as GrammarId[]
const PAGE_IDS = Object.keys(PAGES) as PageId[]
const PATTERN_IDS = Object.keys(PATTERN_EXTENSIONS) as PatternId[]
/** Append new ones at the end of their list: an index stores the number of each. */
export const LANGUAGE_IDS: readonly LanguageId[] = [...GRAMMAR_IDS, ...PAGE_IDS, 'notebook', ...PATTERN_IDS]

const BY_EXTENSION = new Map<string, LanguageId>(
  Object.entries({ ...GRAMMARS, ...PAGES, notebook: ['ipynb'], ...PATTERN_EXTENSIONS })
    .flatMap(([id, extensions]) => extensions.map((extension) => [extension, id as LanguageId] as const)),
)
/** Files recognised by name, without an extension. */
const BY_NAME: Readonly<Record<string, PatternId>> = {
  makefile: 'make', gnumakefile: 'make', dockerfile: 'dockerfile', containerfile: 'dockerfile',
  'cmakelists.txt': 'cmake',
}

/**
 * The language of a file by its name, mostly the extension; `undefined` where definitions cannot be found. A `.h` file
 * counts as C++, whose grammar also parses C.
 */
export function languageOf(path: string): LanguageId | undefined {
  const name = /[^/\\]*$/.exec(path)?.[0].toLowerCase() ?? ''
  const [, extension] = /[^]\.([^.]+)$/.exec(name) ?? []
  return (Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined)
    ?? (extension === undefined ? undefined : BY_EXTENSION.get(extension))
}

/** As `languageOf`, only for files whose definitions can be edited by name, which needs a grammar. */
export function editableLanguageOf(path: string): ParsedId | undefined {
  const language = languageOf(path)
  return language !== undefined && isParsed(language) ? language : undefined
}

const PARSED: ReadonlySet<LanguageId> = new Set([...GRAMMAR_IDS, ...PAGE_IDS])
const BY_PATTERN: ReadonlySet<LanguageId> = new Set(PATTERN_IDS)

export function isParsed(language: LanguageId): language is ParsedId {
  return PARSED.has(language)
}

export function isPage(language: LanguageId): language is PageId {
  return Object.hasOwn(PAGES, language)
}

/** Whether definitions are only found by line patterns, without a grammar, so that some are missed or wrong. */
export function isByPattern(language: LanguageId): language is PatternId {
  return BY_PATTERN.has(language)
}
