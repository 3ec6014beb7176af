import * as v from 'valibot'
import { boundedText, described, HermesError, isRecord, text, toolPath } from '../../../0-contracts/src/index.js'
import { readStrictYaml } from '../../../1-reading/src/index.js'
import { GRAMMAR_IDS, type RulePattern, type StructuralQuery } from '../../../2-syntax/src/index.js'
import { RewriteTemplate } from './rewrite-template.js'

/** Parameters of both verbs. */
export const structuralArgs = {
  pattern: v.optional(boundedText('One piece of code to find, whatever its white space. $NAME stands for one part '
    + 'of it (the same each time), $$$NAME for any number in a row.', { min: 1, max: 10_000 })),
  rule: v.optional(boundedText('In place of pattern: a rule of ast-grep, as YAML (kind, pattern, regex, inside, has, '
    + 'all, any, not …), or rule with constraints and utils.', { min: 1, max: 20_000 })),
  language: v.optional(described(v.picklist(GRAMMAR_IDS), 'Only files of this language. Default: all, each by its '
    + 'extension.')),
  path: v.optional(toolPath('File or directory. Default: the root.'), '.'),
  include: v.optional(text('Glob pattern of the names of files (*.ts), or with a / of their paths below the directory '
    + '(src/**/*.ts).')),
}

export type StructuralArgs = v.InferOutput<v.StrictObjectSchema<typeof structuralArgs, undefined>>

const EXAMPLE = 'Write one whole piece of code, such as `console.log($ARG)` or `if ($A) { $$$BODY }`.'
const PARTS = 'A part that does not stand alone, such as a member of a class, takes a rule: '
  + '`pattern: {context: "class A { $NAME() { $$$BODY } }", selector: method_definition}`.'

/** @throws HermesError `INVALID_PARAMETER` */
export function readQuery(verb: string, { pattern, rule }: Pick<StructuralArgs, 'pattern' | 'rule'>): StructuralQuery {
  if ((pattern === undefined) === (rule === undefined)) {
    const problem = pattern === undefined ? 'pattern is missing' : 'pattern and rule exclude each other'
    throw new HermesError('INVALID_PARAMETER', `${verb}: ${problem}`, { hint: `${EXAMPLE} Or write a rule.` })
  }
  if (pattern !== undefined) return { matcher: pattern, patterns: [pattern], names: namesIn(pattern) }
  const matcher = readRule(verb, rule ?? '')
  return { matcher, patterns: patternsIn(matcher), names: namesIn(rule ?? '') }
}

const RULES = 'A rule has pattern, kind or regex, and what it is inside, has, follows or precedes, or all, any or not '
  + 'of others. A kind is what the grammar of the language calls a node.'

/** The error for a query that is valid in no language. */
export function refusedQuery(
  verb: string, { matcher }: StructuralQuery, language: string, refused: string,
): HermesError {
  const reason = refused.split('\n').map((line) => line.replace(/^\s*\|->/, '').replace(/[.\s]+$/, '').trim())
    .filter((line) => line !== '').join(': ')
  const isRule = typeof matcher !== 'string'
  const problem = `${isRule ? 'rule cannot be used' : 'pattern is no code'} in ${language}: ${reason}`
  return new HermesError('INVALID_PARAMETER', `${verb}: ${problem}`, {
    hint: isRule ? RULES : `${EXAMPLE} ${PARTS}`,
  })
}

/** Words that a text must contain to have a match; none for rules, which may match without any. */
export function wordsOf({ matcher }: StructuralQuery): string[] {
  if (typeof matcher !== 'string') return []
  const plain = matcher.replaceAll(/\$+[A-Z_][A-Z0-9_]*/g, ' ')
  return [...new Set(plain.match(/[A-Za-z_][A-Za-z0-9_]{2,}/g))]
}

function namesIn(query: string): string[] {
  return RewriteTemplate.variablesIn(query).map((variable) => variable.replace(/^\$+/, '')).filter((name) => (
    !name.startsWith('_')
  ))
}

const OF_RULES = new Set(['rule', 'constraints', 'utils'])

function readRule(verb: string, rule: string): Readonly<Record<string, unknown>> {
  const reading = readStrictYaml(rule)
  if (!reading.ok) {
    throw new HermesError('INVALID_PARAMETER', `${verb}: rule is not YAML: ${reading.flaw.message}`, {
      hint: 'Quote a pattern that holds a colon, a brace or a hash, e.g. "pattern: \'f({ a: $A })\'".',
    })
  }
  if (!isRecord(reading.value)) {
    throw new HermesError('INVALID_PARAMETER', `${verb}: rule must be a YAML mapping`, {
      hint: 'For example "kind: call_expression", or "pattern: foo($A)" and below it "inside: {kind: class_body, '
        + 'stopBy: end}".',
    })
  }
  if (!Object.hasOwn(reading.value, 'rule')) return { rule: reading.value }
  const other = Object.keys(reading.value).find((key) => !OF_RULES.has(key))
  if (other === undefined) return reading.value
  throw new HermesError('INVALID_PARAMETER', `${verb}: rule may not hold '${other}'`, {
    hint: 'Beside rule it takes constraints and utils. The language and the rewrite are parameters of their own.',
  })
}

/** The patterns in a rule, at any depth. */
function patternsIn(value: unknown): RulePattern[] {
  if (Array.isArray(value)) return value.flatMap(patternsIn)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key !== 'pattern') return patternsIn(inner)
    if (typeof inner === 'string') return [inner]
    if (!isRecord(inner) || typeof inner['context'] !== 'string') return []
    const { context, selector, strictness } = inner
    return [{
      context, ...(typeof selector === 'string' && { selector }), ...(typeof strictness === 'string' && { strictness }),
    }]
  })
}
