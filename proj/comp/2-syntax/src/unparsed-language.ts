/** Languages that people write programs in and in which no definitions are found, by the extension of their files. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'ABAP': ['abap'],
  'Assembly': ['asm', 's'],
  'AWK': ['awk'],
  'Batch': ['bat', 'cmd'],
  'COBOL': ['cob', 'cbl'],
  'CoffeeScript': ['coffee'],
  'Hack': ['hack'],
  'Haxe': ['hx'],
  'Literate Haskell': ['lhs'],
  'Mojo': ['mojo'],
  'Odin': ['odin'],
  'Puppet': ['pp'],
  'PureScript': ['purs'],
  'Raku': ['raku', 'rakumod'],
  'ReScript': ['res', 'resi'],
  'Smalltalk': ['st'],
  'WebAssembly': ['wat'],
}

const BY_EXTENSION = new Map(Object.entries(EXTENSIONS).flatMap(([language, extensions]) => (
  extensions.map((extension) => [extension, language] as const)
)))

/** The programming language of a file that `languageOf` knows none for, by its extension. */
export function unparsedLanguage(path: string): string | undefined {
  const [, extension] = /[^/\\]\.([^./\\]+)$/.exec(path) ?? []
  return extension === undefined ? undefined : BY_EXTENSION.get(extension.toLowerCase())
}
