import { isRecord } from '../../../../0-contracts/src/index.js'
import { maskTokenShapes } from '../../../../0-text/src/index.js'
import type { NormalizeRule } from '../../../../2-mapping/src/index.js'
import { withoutHeld } from './held-names.js'

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'

/** Replacements for volatile parts of programs' output and of messages, in order. */
const OUTPUT_RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z\b|[+-]\d\d:?\d\d))?/g, '<time>'],
  [
    new RegExp(`\\b${DAY},? +(?:${MONTH} +\\d{1,2}|\\d{1,2} ${MONTH}) [\\d: ]+(?:[A-Z]{2,5} ?)?(?:\\d{4})?`, 'g'),
    '<time>',
  ],
  [new RegExp(`\\b${MONTH} +\\d{1,2} +(?:\\d\\d:\\d\\d|\\d{4})\\b`, 'g'), '<time>'],
  [/\b\d\d:\d\d:\d\d(?:\.\d+)?\b/g, '<time>'],
  [/\b\d+m\d+(?:[.,]\d+)?s\b/g, '<duration>'],
  [/^((?:real|user|sys)[ \t]+)\d+[.,]\d+$/gm, '$1<duration>'],
  [/\b\d+\.\d+user \d+\.\d+system \d+:[\d:.]+elapsed .*(?:\n\d+inputs\+\d+outputs .*)?/g, '<duration>'],
  [/\bduration_ms[ :]+[\d.]+/g, 'duration_ms <duration>'],
  [/(?<![\w.])\d+(?:\.\d+)? ?(?:ms|µs|ns|s|secs?|seconds?|minutes?)\b/g, '<duration>'],
  [/\b(pid|PID)([ =:]+)\d+/g, '$1$2<pid>'],
  [/\b0x[0-9a-f]{6,16}\b/gi, '<address>'],
  [/\b[0-9a-f]{40}\b/g, '<hash>'],
]
/** Names of fields that depend on the moment or the machine, whatever their values. */
const VOLATILE_FIELDS = new Set([
  'durationMs', 'duration_ms', 'modified', 'mtime', 'created', 'pid', 'runId', 'run_id', 'date', 'hash', 'gitCommit',
  'head', 'freeBytes',
])
/** Names of fields that say where it ran, not what resulted. */
const LEFT_OUT = new Set(['sandbox'])
const OUTPUT_FIELDS = new Set(['stdout', 'stderr', 'error', 'output', 'message'])
const RUN_DIRECTORY = /\.hermes\/runs\/[^/\s'"]+/g
const TEMPORARY = /(?:\/private)?\/(?:tmp|var\/tmp|var\/folders\/[^/\s]+\/[^/\s]+\/T)\/[^\s'"`,;:)\]}<>]+/g

/**
 * Replaces what differs from run to run without meaning by placeholders, and masks what looks like a secret, as
 * recordings do. docs/replay.md lists the rules.
 */
export class Normalizer {
  readonly #roots: RegExp | undefined

  /**
   * @param roots absolute paths of the workspace: replaced by `<root>`
   * @param held names in the root that are hermes' own, not made by a command
   */
  constructor(
    roots: readonly string[], private readonly rules: readonly NormalizeRule[] = [],
    private readonly held: readonly string[] = [],
  ) {
    const escaped = [...new Set(roots)].filter((root) => root.length > 1).sort((a, b) => b.length - a.length)
      .map((root) => root.replace(/\/+$/, '').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    // `/work` must not match in `/workshop`, nor in `/a/work`.
    this.#roots = escaped.length === 0 ? undefined
      : new RegExp(`(?<![\\w.-])(?:${escaped.join('|')})(?![\\w-]|\\.\\w)`, 'g')
  }

  /** @param isOutput whether it is output of a program or a message; in contents of files only paths are replaced */
  text(text: string, isOutput: boolean): string {
    let normal = maskTokenShapes(this.#roots ? text.replace(this.#roots, '<root>') : text)
    normal = normal.replace(RUN_DIRECTORY, '.hermes/runs/<run>')
    for (const { pattern, with: replacement, in: where } of this.rules) {
      if (isOutput || where === 'all') normal = pattern.replaceAll(normal, replacement)
    }
    if (!isOutput) return normal
    normal = withoutHeld(normal, this.held).replace(TEMPORARY, '<tmp>')
    for (const [pattern, replacement] of OUTPUT_RULES) normal = normal.replace(pattern, replacement)
    return normal
  }

  /** @param field name of the field that holds the value */
  value(value: unknown, field = ''): unknown {
    if (VOLATILE_FIELDS.has(field) && value !== null && !isRecord(value) && !Array.isArray(value)) return `<${field}>`
    if (typeof value === 'string') return this.text(value, OUTPUT_FIELDS.has(field))
    if (Array.isArray(value)) return value.map((item: unknown) => this.value(item, field))
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, inner]) => [name, this.value(inner, name)]))
  }
}
