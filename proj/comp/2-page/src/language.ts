/** Names of highlight.js's grammars by the extension or name of a file. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'typescript',
  js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript',
  json: 'json', jsonc: 'json', jsonl: 'json', webmanifest: 'json',
  py: 'python', pyi: 'python', rb: 'ruby', rake: 'ruby', gemspec: 'ruby', sh: 'bash', bash: 'bash', zsh: 'bash',
  yml: 'yaml', yaml: 'yaml', toml: 'ini', ini: 'ini', cfg: 'ini', html: 'xml', htm: 'xml', xml: 'xml', svg: 'xml',
  vue: 'xml',
  css: 'css', scss: 'css', less: 'css', md: 'markdown', markdown: 'markdown', go: 'go', rs: 'rust', java: 'java',
  kt: 'java',
  c: 'c', h: 'c', cc: 'cpp', cpp: 'cpp', cxx: 'cpp', hpp: 'cpp', hh: 'cpp', sql: 'sql', php: 'php', cs: 'csharp',
  diff: 'diff', patch: 'diff',
}
const BY_NAME: Readonly<Record<string, string>> = {
  makefile: 'makefile', dockerfile: 'bash', rakefile: 'ruby', gemfile: 'ruby', '.bashrc': 'bash', '.gitconfig': 'ini',
}

/** The grammar for a file's name; `undefined` where there is none and it is shown plain. */
export function languageOf(path: string): string | undefined {
  const name = /[^/\\]*$/.exec(path)?.[0].toLowerCase() ?? ''
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name]
  const extension = /\.([^.]+)$/.exec(name)?.[1]
  return extension !== undefined && Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined
}
