import type { Tool } from '@modelcontextprotocol/client'
import { HermesError, type AnyVerb, type VerbContext } from '../../../0-contracts/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'
import { argsSchema, described } from '../given-schemas/index.js'
import type { Connection } from './server-connection.js'
import type { Sdk } from './load-client-sdk.js'
import { RESULT, resultData, type ResultData } from './result-data.js'

const MAX_DESCRIPTION = 1000
const LONGEST_NAME = 128

/** Whether a tool's name can be printed: of bounded length, without invisible characters. */
export function isUsableName(name: string): boolean {
  return name.length <= LONGEST_NAME && /^[^\p{C}\p{Z}]+$/u.test(name)
}

/**
 * A server's tool as a verb. The server's own claims (that a tool only reads) are not trusted: the verb counts as one
 * that may do anything.
 *
 * @throws HermesError `SERVER_FAILED` for a name that cannot be shown, and a schema that cannot be checked
 */
export function toolVerb(tool: Tool, connection: Connection, sdk: Sdk): AnyVerb {
  const { server: { name: server, calls, by, callMs }, masker } = connection
  if (!isUsableName(tool.name)) {
    throw new HermesError('SERVER_FAILED', `mcp.${server}.${escapeControls(clip(tool.name, 40))}: `
      + 'a tool of this name cannot be used', {
      hint: `A name has at most ${LONGEST_NAME} characters, all of them visible. `
        + 'Others of the server are not affected.',
    })
  }
  const name = `mcp.${server}.${tool.name}`
  return {
    name,
    vocabulary: 'hermes',
    description: described(
      tool.description ?? tool.title ?? `Tool ${tool.name} of the MCP server ${server}.`, MAX_DESCRIPTION,
    ),
    category: 'mcp',
    version: '1.0.0',
    type: 'dynamic',
    accessibility: ['llm', 'user'],
    constraints: [],
    primary: undefined,
    permission: { value: calls, by },
    args: argsSchema({
      schema: tool.inputSchema, validator: sdk.AjvJsonSchemaValidator,
      unusable: (why, cause) => new HermesError('SERVER_FAILED', `${name}: the server gives it a schema ${why}`, {
        hint: 'Do without this tool; others of the server are not affected.', ...(cause !== undefined && { cause }),
      }),
    }) as AnyVerb['args'],
    result: RESULT,
    examples: [],
    async handler(args: Record<string, unknown>, context: VerbContext): Promise<ResultData> {
      const { signal, limits, advise = () => undefined } = context
      const result = await connection.call(tool, args, {
        signal, timeoutMs: Math.min(callMs, limits.maxCommandTimeoutMs),
      })
      const data = masker.value(resultData(name, result, limits.maxOutputBytes, advise))
      if (result.isError !== true) return data
      throw new HermesError('TOOL_FAILED', `${name}: ${clip(data.text ?? 'the tool failed and said nothing', 500)}`, {
        hint: 'That is what the tool said. Change the arguments, or do it another way.', data,
      })
    },
  }
}
