import { type ApprovedPath, HermesError } from '../../../0-contracts/src/index.js'
import type { ParsedId, StructuralMatch, StructuralQuery } from '../../../2-syntax/src/index.js'
import { RewriteTemplate } from './rewrite-template.js'
import type { MatchedFile } from './structural-files.js'

/** A file as it would be after the rewrite. */
export interface Rewritten {
  path: ApprovedPath
  shown: string
  language: ParsedId
  before: string
  content: string
  /** Whether it had a syntax error before. */
  wasBroken: boolean
  replacements: number
  /** Number of matches inside of others, which stay. */
  nested: number
  /** Text of the first match. */
  firstMatch: string
}

/**
 * Rewrites the matches of a file; of overlapping ones the first, as ast-grep does.
 *
 * @param most largest size of the result, in characters
 * @returns `undefined` where the result would be larger
 */
export function rewriteFile(
  { content, matches, isBroken, ...file }: MatchedFile, template: RewriteTemplate, most = Infinity,
): Rewritten | undefined {
  const outer: StructuralMatch[] = []
  let end = 0
  let text = ''
  for (const match of matches) {
    const [from, to] = match.span
    if (outer.length > 0 && from < end) continue
    if (text.length + template.lengthFor(match) > most) return undefined
    text += content.slice(end, from) + template.fill(content, match)
    end = to
    outer.push(match)
  }
  const [first] = outer
  return {
    ...file, before: content, content: text + content.slice(end), wasBroken: isBroken,
    replacements: outer.length, nested: matches.length - outer.length,
    firstMatch: first ? content.slice(...first.span) : '',
  }
}

/** @throws HermesError `INVALID_PARAMETER` for a rewrite with a variable that the query does not have */
export function checkRewrite(verb: string, rewrite: string, { matcher, names }: StructuralQuery): void {
  const written = typeof matcher === 'string' ? RewriteTemplate.variablesIn(matcher) : undefined
  const known = (variable: string): boolean => (
    written?.includes(variable) ?? names.includes(variable.replace(/^\$+/, ''))
  )
  const unknown = RewriteTemplate.variablesIn(rewrite).find((variable) => !known(variable) || /^\$+_/.test(variable))
  if (unknown === undefined) return
  const captured = written ?? names.map((name) => `$${name}`)
  throw new HermesError('INVALID_PARAMETER', `${verb}: rewrite has ${unknown}, which stands for nothing`, {
    hint: captured.length === 0
      ? 'There are no variables in what is searched for. ast-grep takes $ and capitals for one: $NAME.'
      : `What it may have: ${captured.join(', ')}. A name that begins with _ is not kept.`,
  })
}
