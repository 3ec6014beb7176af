import type { Tool } from '@modelcontextprotocol/server'
import { isRecord, type AnyVerb } from '../../0-contracts/src/index.js'
import { mcpTool } from '../../1-registry/src/index.js'

/** What a description of a parameter says of its default. */
const DEFAULT = / Default: [^.]*\.(?= |$)/

/**
 * A tool as a list has it, which every conversation pays for: without its schema of results (a tool that has one must
 * give structured content, however long the text is), and without what the rest of it says.
 */
export function listedTool(verb: AnyVerb): Tool {
  const { outputSchema: _, inputSchema, annotations, ...tool } = mcpTool(verb)
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations
  const { properties } = inputSchema
  return {
    ...tool,
    inputSchema: isRecord(properties) ? { ...inputSchema, properties: withoutDefaultWords(properties) } : inputSchema,
    // The protocol gives the others no meaning where a tool only reads, and none repeats its call in vain by default.
    annotations: readOnlyHint ? { readOnlyHint, openWorldHint } : { readOnlyHint, destructiveHint, openWorldHint },
  } as unknown as Tool
}

function withoutDefaultWords(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => {
    if (!isRecord(schema) || schema['default'] === undefined) return [name, schema]
    const { description } = schema
    if (typeof description !== 'string') return [name, schema]
    return [name, { ...schema, description: description.replace(DEFAULT, '') }]
  }))
}
