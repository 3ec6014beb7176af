const EXTENSIONS = {
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

export type LanguageId = keyof typeof EXTENSIONS

/** For messages and descriptions. */
export const LANGUAGE_NAMES = 'TypeScript, JavaScript, Python, Go, Rust, Java, C, C++, C#, Ruby, PHP, Kotlin, '
  + 'Swift, Scala, Elixir, Lua and shell'

export const LANGUAGE_IDS = Object.keys(EXTENSIONS) as LanguageId[]

const BY_EXTENSION = new Map<string, LanguageId>(
  LANGUAGE_IDS.flatMap((id) => EXTENSIONS[id].map((extension) => [extension, id] as const)),
)

/**
 * The language of a file by the extension of its name, or `undefined` where it is none of those that can be parsed.
 * A `.h` file counts as C++, whose grammar also reads C.
 */
export function languageOf(path: string): LanguageId | undefined {
  const [, extension] = /[^/\\]\.([^./\\]+)$/.exec(path) ?? []
  return extension === undefined ? undefined : BY_EXTENSION.get(extension.toLowerCase())
}
