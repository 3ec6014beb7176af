/** Differences between the grep tools of harnesses. */
interface GrepTool {
  /** Output where the call names no `output_mode`. */
  usually: 'content' | 'files_with_matches'
  /** It supports skipping results by `offset`. */
  isPaged: boolean
}

const OUTPUTS = ['content', 'files_with_matches', 'count'] as const
type Output = (typeof OUTPUTS)[number]

/**
 * Rules for a grep with ripgrep's parameters, as in Claude Code and Cursor: one for each output mode, with and without
 * multi-line matches. `-C` replaces `-A` and `-B`, so context lines need two rules.
 */
export function grepRules(tool: GrepTool): string {
  return [true, false].flatMap((across) => [
    ruleOf(tool, across, 'content', true), ...OUTPUTS.map((output) => ruleOf(tool, across, output, false)),
  ]).join('\n')
}

/** @param isEven context before and after matches is equal, by `-C` */
function ruleOf({ usually, isPaged }: GrepTool, isAcross: boolean, output: Output, isEven: boolean): string {
  const mode = output === usually ? `[${output}, null]` : output
  const conditions = [
    ...isAcross ? ['multiline: true'] : [], `output_mode: ${mode}`, ...isEven ? [`'-C': { present: true }`] : [],
  ]
  const [before, after] = isEven ? ['-C', '-C'] : ['-B', '-A']
  const shown = output === 'content'
    ? [`context_before: '${before}'`, `context_after: '${after}'`]
    : [`output: { value: ${output === 'count' ? 'counts' : 'files'} }`]
  const unused = output !== 'content' ? ['-A', '-B', '-C'] : isEven ? ['-A', '-B'] : []
  const ignored = unused.map((flag) => `, '${flag}'`).join('')
  return `    - when: { ${conditions.join(', ')} }
      verb: search_files
      arguments:
${[
    `query: ${isAcross ? `{ from: pattern, format: '(?s){}' }` : 'pattern'}`,
    'regex: { value: true }',
    `case_sensitive: { from: '-i', not: true, default: false }`,
    `path: { from: path, path: true, default: '.' }`,
    'pattern: glob',
    'type: type',
    ...isAcross ? ['multiline: { value: true }'] : [],
    ...shown,
    'max_results: { from: head_limit, unless: 0 }',
    ...isPaged ? ['offset: { from: offset, unless: 0 }'] : [],
  ].map((line) => `        ${line}`).join('\n')}
      ignore: ['-n', output_mode, multiline${ignored}]`
}
