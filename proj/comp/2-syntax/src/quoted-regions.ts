/** Start and end offset of text that is no code. */
export type Region = readonly [start: number, end: number]

/** Single-line strings, which cannot hold a definition and are only skipped. */
const DOUBLE = String.raw`"(?:[^"\\\n]+|\\.)*"?`
const SINGLE = String.raw`'(?:[^'\\\n]+|\\.)*'?`
/** Character literals, for languages in which a quote may be unpaired. */
const CHARACTER = String.raw`'(?:\\[^'\n]*|[^'\\\n])'`
const SLASHES = String.raw`//[^\n]*`
const HASH = String.raw`#[^\n]*`
const SHORT = `${DOUBLE}|${SINGLE}`
/** Unfinished constructs extend to the end of the text, so that one pass is enough. */
const BLOCK = String.raw`/\*[^]*?(?:\*/|(?<openBlock>$))`
const TRIPLE = String.raw`"""[^]*?(?:"""|(?<openTriple>$))`
const TRIPLES = String.raw`${TRIPLE}|'''[^]*?(?:'''|(?<openSingle>$))`
const TEMPLATE = '`(?:[^\\\\`]+|\\\\[^])*(?:`|(?<openTemplate>$))'
/** A JavaScript regular expression, recognised by what precedes it. */
const PATTERN = String.raw`(?<=[=(,:;!&|?{}[\n]\s{0,9}|\breturn )/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\]?)+/?`
const RAW = '`[^`]*(?:`|(?<openRaw>$))'
const HEREDOC = String.raw`["']?(?<word>[A-Za-z_]\w*)["']?[^\n]*`
  + String.raw`(?:\n[^]*?(?:(?<=\n)[ \t]*\k<word>(?!\w)|(?<openWord>$))|$)`
const CONFLICT = String.raw`(?<![^\n])(?<conflict>[<|=>]{7})(?![^ \r\n])[^\n]*`

/** By grammar; the first alternative that matches counts. */
const QUOTES: Readonly<Record<string, readonly string[]>> = {
  python: [HASH, TRIPLES, SHORT],
  elixir: [HASH, TRIPLES, SHORT],
  go: [SLASHES, BLOCK, RAW, SHORT],
  javascript: [PATTERN, SLASHES, BLOCK, TEMPLATE, SHORT],
  typescript: [PATTERN, SLASHES, BLOCK, TEMPLATE, SHORT],
  tsx: [PATTERN, SLASHES, BLOCK, TEMPLATE, SHORT],
  java: [SLASHES, BLOCK, TRIPLE, SHORT],
  kotlin: [SLASHES, BLOCK, TRIPLE, SHORT],
  swift: [SLASHES, BLOCK, TRIPLE, SHORT],
  scala: [SLASHES, BLOCK, TRIPLE, CHARACTER, DOUBLE],
  'c-sharp': [SLASHES, BLOCK, TRIPLE, String.raw`@"(?:[^"]+|"")*(?:"|(?<openRaw>$))`, SHORT],
  c: [SLASHES, BLOCK, SHORT],
  cpp: [SLASHES, BLOCK, String.raw`R"(?<mark>[^()\\\s]{0,16})\([^]*?(?:\)\k<mark>"|(?<openRaw>$))`, SHORT],
  rust: [
    SLASHES, BLOCK, String.raw`\br(?<mark>#+)"[^]*?(?:"\k<mark>|(?<openRaw>$))`, CHARACTER,
    String.raw`"(?:[^"\\]+|\\[^])*(?:"|(?<openString>$))`,
  ],
  php: [SLASHES, HASH, BLOCK, `<<<[ \\t]*${HEREDOC}`, SHORT],
  ruby: [
    String.raw`(?<![^\n])=begin\b[^]*?(?:\n=end\b|(?<openBegin>$))`, String.raw`(?<![^\n])__END__(?![^\r\n])[^]*`, HASH,
    `<<[~-]?${HEREDOC}`, SHORT,
  ],
  bash: [String.raw`(?<!\S)#[^\n]*`, `(?<!<)<<-?[ \\t]*${HEREDOC}`, SHORT],
  lua: [String.raw`(?:--)?\[(?<mark>=*)\[[^]*?(?:\]\k<mark>\]|(?<openLong>$))`, String.raw`--[^\n]*`, SHORT],
}

/**
 * Multi-line strings and comments, and markers of merge conflicts, in order. In a text with errors the tree may report
 * code inside them, so they are found by their delimiters alone. If one is unfinished, all are doubtful, since an
 * unpaired quote swaps strings and code: then only conflict markers are returned.
 */
export function quotedRegions(grammar: string, source: string): Region[] {
  const pattern = new RegExp([CONFLICT, ...QUOTES[grammar] ?? []].join('|'), 'g')
  const regions: Region[] = []
  const conflicts: Region[] = []
  let isOpen = false
  for (const { 0: text, index, groups = {} } of source.matchAll(pattern)) {
    const region: Region = [index, index + text.length]
    if (groups['conflict'] !== undefined) conflicts.push(region)
    else if (text.includes('\n')) regions.push(region)
    isOpen ||= Object.entries(groups).some(([name, group]) => name.startsWith('open') && group !== undefined)
  }
  return isOpen ? conflicts : [...regions, ...conflicts].sort((a, b) => a[0] - b[0])
}
