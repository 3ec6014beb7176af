/**
 * The languages that `language_servers` of the user's config can name: file extensions, with the language identifier
 * sent to the server (LSP 3.17, `languageId` of TextDocumentItem).
 */
export const SERVED_LANGUAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  python: { py: 'python', pyi: 'python', pyw: 'python' },
  typescript: { ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'typescriptreact' },
  javascript: { js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascriptreact' },
  go: { go: 'go' },
  rust: { rs: 'rust' },
  c: { c: 'c', h: 'c' },
  cpp: { cpp: 'cpp', cc: 'cpp', cxx: 'cpp', h: 'cpp', hpp: 'cpp', hh: 'cpp', hxx: 'cpp', ipp: 'cpp', inl: 'cpp' },
  java: { java: 'java' },
  csharp: { cs: 'csharp' },
  ruby: { rb: 'ruby' },
  php: { php: 'php' },
  kotlin: { kt: 'kotlin', kts: 'kotlin' },
  swift: { swift: 'swift' },
  scala: { scala: 'scala', sc: 'scala' },
  elixir: { ex: 'elixir', exs: 'elixir' },
  erlang: { erl: 'erlang', hrl: 'erlang' },
  haskell: { hs: 'haskell' },
  ocaml: { ml: 'ocaml', mli: 'ocaml' },
  lua: { lua: 'lua' },
  zig: { zig: 'zig' },
  dart: { dart: 'dart' },
  r: { r: 'r' },
  julia: { jl: 'julia' },
  bash: { sh: 'shellscript', bash: 'shellscript' },
  vue: { vue: 'vue' },
  svelte: { svelte: 'svelte' },
}

/** An entry of `language_servers` in the user's config; times in seconds, or as `90s`, `5m`. */
export interface LanguageServerOptions {
  /** A program that speaks LSP on standard input and output: a name in PATH, or a path that starts with `/` or `~`. */
  command: string
  args?: readonly string[] | undefined
  /** Keys of `SERVED_LANGUAGES`; where several servers have one language, the first counts. */
  languages: readonly string[]
  /** Environment variables on top of those that commands get. */
  env?: Readonly<Record<string, string>> | undefined
  /** Answers to `workspace/configuration` requests, by section. */
  settings?: Readonly<Record<string, unknown>> | undefined
  /** Sent with `initialize` as `initializationOptions`. */
  initialization?: Readonly<Record<string, unknown>> | undefined
  start_time?: number | string | undefined
  call_time?: number | string | undefined
  /** Most bytes of memory for it and its child processes, or as `2GB` (Linux only). */
  memory?: number | string | undefined
}

/** A validated entry of `language_servers`. */
export interface LanguageServer {
  name: string
  /** Program and arguments. */
  command: readonly string[]
  languages: readonly string[]
  env: Readonly<Record<string, string>>
  settings: Readonly<Record<string, unknown>>
  initialization?: Readonly<Record<string, unknown>> | undefined
  startMs: number
  callMs: number
  mostMemoryBytes?: number | undefined
  /** Place of the entry: `~/.hermes/config.yaml:7`. */
  by: string
}

/** The configured server for a file, by its extension, with the server's identifier of the language. */
export function languageServerOf(
  path: string, servers: readonly LanguageServer[] | undefined,
): { server: LanguageServer; languageId: string } | undefined {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase()
  if (extension === undefined) return undefined
  for (const server of servers ?? []) {
    for (const language of server.languages) {
      const extensions = SERVED_LANGUAGES[language] ?? {}
      if (Object.hasOwn(extensions, extension)) return { server, languageId: extensions[extension]! }
    }
  }
  return undefined
}
