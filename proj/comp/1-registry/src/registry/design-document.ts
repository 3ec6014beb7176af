import { dump } from 'js-yaml'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { parameterDefinitions } from './parameters.js'
import { shamBlock } from './sham-block.js'
import { shapeOf, type SchemaShape } from './schema-shape.js'

/** Parts of the document other than verbs, each from the component that owns it. */
export interface DesignDefaults {
  /** Defaults of `Limits`. */
  limits: Readonly<Record<string, number>>
  denyPatterns: readonly { pattern: string; reason: string }[]
  /** Defaults for commands and their sandbox. */
  commands: Readonly<Record<string, unknown>>
  /** Whether a failed run is rolled back. */
  atomic: boolean
  /** Encoding of texts. */
  encoding: string
}

const EXAMPLE = `\`\`\`sh sham
${shamBlock('k7m', 'file_write', { path: '/workspace/"hello".txt', content: 'Hello world!\nhow are you?' })}
\`\`\`
`

/** Renders `unified-design.yaml`: every field that a verb declares, and the defaults of a run. */
export function renderDesign(
  verbs: readonly AnyVerb[], { limits, denyPatterns, commands, atomic, encoding }: DesignDefaults,
): string {
  const design = {
    sham_syntax_example: EXAMPLE,
    tools: Object.fromEntries(verbs.map((verb) => [verb.name, describeVerb(verb)])),
    transaction_model: { strategy: atomic ? 'all_or_nothing' : 'forward_only' },
    security: { path_validation: { deny_patterns: denyPatterns }, commands },
    config: {
      encoding,
      max_file_size: limits['maxFileBytes'],
      max_output_size: limits['maxOutputBytes'],
      command_timeout_ms: limits['commandTimeoutMs'],
      max_command_timeout_ms: limits['maxCommandTimeoutMs'],
      max_matches: limits['maxMatches'],
      max_blocks: limits['maxBlocks'],
      max_written_size: limits['maxWrittenBytes'],
      run_timeout_ms: limits['runTimeoutMs'],
      max_processes: limits['maxProcesses'],
      max_memory: limits['maxMemoryBytes'],
    },
  }
  const header = '# Derived from the registry by `npm run design`; `npm test` fails when it is stale. Do not edit.\n'
  return header + dump(design, { lineWidth: 120, noRefs: true })
}

/** The entry of one verb, without its name. */
export function describeVerb(verb: AnyVerb) {
  return {
    type: verb.type,
    description: verb.description,
    vocabulary: verb.vocabulary,
    category: verb.category,
    version: verb.version,
    accessibility: [...verb.accessibility],
    ...(verb.constraints.length > 0 && { constraints: [...verb.constraints] }),
    ...(verb.primary !== undefined && { primary_parameter: verb.primary }),
    parameters: parameterDefinitions(verb.args),
    returns: describeShape(shapeOf(verb.result)),
    examples: [...verb.examples],
  }
}

/** Describes a result schema: a type name, `[item]`, or a mapping with optional names that end in `?`. */
function describeShape(shape: SchemaShape): unknown {
  if (shape.entries) {
    return Object.fromEntries(Object.entries(shape.entries).map(([name, entry]) => [
      entry.type === 'optional' ? `${name}?` : name, describeShape(entry),
    ]))
  }
  if (shape.item) return [describeShape(shape.item)]
  if (shape.value) return { '[name]': describeShape(shape.value) }
  if (shape.wrapped) {
    const described = describeShape(shape.wrapped)
    if (shape.type !== 'nullable') return described
    return typeof described === 'string' ? `${described} | null` : { 'object or null': described }
  }
  if (shape.type === 'literal') return String(shape.literal)
  if (shape.type === 'picklist') return (shape.options ?? []).join(' | ')
  if (shape.type === 'number') return shape.pipe?.some(({ type }) => type === 'integer') ? 'integer' : 'number'
  return shape.type
}
