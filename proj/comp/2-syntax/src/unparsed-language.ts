/** Languages that people write programs in and that cannot be parsed here, by the extension of their files. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'Kotlin': ['kt', 'kts'],
  'Swift': ['swift'],
  'Lua': ['lua'],
  'Shell': ['sh', 'bash', 'zsh', 'ksh', 'fish'],
  'Vue': ['vue'],
  'Svelte': ['svelte'],
  'Astro': ['astro'],
  'Scala': ['scala', 'sc'],
  'Elixir': ['ex', 'exs'],
  'Erlang': ['erl', 'hrl'],
  'Jupyter Notebook': ['ipynb'],
  'Perl': ['pl', 'pm'],
  'R': ['r'],
  'Julia': ['jl'],
  'Haskell': ['hs', 'lhs'],
  'OCaml': ['ml', 'mli'],
  'F#': ['fs', 'fsi', 'fsx'],
  'Visual Basic': ['vb'],
  'Dart': ['dart'],
  'Zig': ['zig'],
  'Nim': ['nim'],
  'Crystal': ['cr'],
  'Clojure': ['clj', 'cljs', 'cljc'],
  'Groovy': ['groovy', 'gradle'],
  'Objective-C': ['m', 'mm'],
  'Fortran': ['f', 'for', 'f90', 'f95', 'f03', 'f08'],
  'Pascal': ['pas', 'dpr'],
  'Ada': ['adb', 'ads'],
  'COBOL': ['cob', 'cbl'],
  'Assembly': ['asm', 's'],
  'PowerShell': ['ps1', 'psm1'],
  'Batch': ['bat', 'cmd'],
  'SQL': ['sql'],
  'Terraform': ['tf'],
  'Protocol Buffers': ['proto'],
  'Thrift': ['thrift'],
  'GraphQL': ['graphql', 'gql'],
  'Solidity': ['sol'],
  'CUDA': ['cu', 'cuh'],
  'D': ['d'],
  'V': ['v'],
  'Verilog': ['sv', 'svh'],
  'VHDL': ['vhd', 'vhdl'],
  'Tcl': ['tcl'],
  'Common Lisp': ['lisp', 'cl', 'lsp'],
  'Emacs Lisp': ['el'],
  'Scheme': ['scm', 'ss'],
  'Racket': ['rkt'],
  'CoffeeScript': ['coffee'],
  'Elm': ['elm'],
  'PureScript': ['purs'],
  'Gleam': ['gleam'],
  'GDScript': ['gd'],
  'Hack': ['hack'],
  'Nix': ['nix'],
}

const BY_EXTENSION = new Map(Object.entries(EXTENSIONS).flatMap(([language, extensions]) => (
  extensions.map((extension) => [extension, language] as const)
)))

/** The programming language of a file that `languageOf` knows none for, by its extension. */
export function unparsedLanguage(path: string): string | undefined {
  const [, extension] = /[^/\\]\.([^./\\]+)$/.exec(path) ?? []
  return extension === undefined ? undefined : BY_EXTENSION.get(extension.toLowerCase())
}
