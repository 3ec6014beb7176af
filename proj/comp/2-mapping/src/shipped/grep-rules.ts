/** What one harness's grep does otherwise than another's. */
interface GrepTool {
  /** What it gives where the call names no `output_mode`. */
  usually: 'content' | 'files_with_matches'
  /** It leaves out as many results as `offset` says. */
  isPaged: boolean
}

const OUTPUTS = ['content', 'files_with_matches', 'count'] as const
type Output = (typeof OUTPUTS)[number]

/**
 * The rules of a grep with ripgrep's parameters, as Claude Code has it and Cursor took it over: one for each output,
 * with matches over several lines or without. `-C` stands in the place of `-A` and `-B`, so that lines around matches
 * are two rules.
 */
export function grepRules(tool: GrepTool): string {
  return [true, false].flatMap((across) => [
    ruleOf(tool, across, 'content', true), ...OUTPUTS.map((output) => ruleOf(tool, across, output, false)),
  ]).join('\n')
}

/** @param isEven as many lines are shown before each match as after it, by `-C` */
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
