import type { Tool } from '@modelcontextprotocol/server'

const list = { type: 'array', items: { type: 'object' } } as const
const count = { type: 'integer', minimum: 0 } as const

/** The tool that runs a whole answer. */
export const APPLY_RESPONSE = {
  name: 'apply_response',
  title: 'Run an answer',
  description: "Run every live block of a model's answer, in text order, each on its own: SHAM and NESL blocks, "
    + "```yaml hermes "
    + 'and ```json hermes envelopes, <tool_call> blocks, and edit formats where they are enabled. '
    + 'One bad block never costs '
    + 'another. All of it is one run: one commit in a git work tree, and one hermes undo takes it back.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The whole answer, as the model wrote it.' },
      dry_run: { type: 'boolean', default: false, description: 'Validate, but change nothing and start no command.' },
    },
    required: ['text'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      success: { type: 'boolean', description: 'No block failed or did not parse, and the run was not stopped.' },
      totalBlocks: count,
      executedActions: count,
      results: { ...list, description: 'One for each block that parsed, in text order.' },
      parseErrors: { ...list, description: 'Blocks that did not parse; where one reading is possible, with a fix.' },
      skipped: { ...list, description: 'What looks like a block and is quoted: it never runs.' },
      dryRun: { type: 'boolean' },
      gitCommit: { type: 'string' },
      rolledBack: {},
      warnings: { type: 'array', items: { type: 'string' } },
      fatalError: { type: 'string' },
      durationMs: { type: 'number' },
    },
    required: ['success', 'totalBlocks', 'executedActions', 'results', 'parseErrors', 'skipped', 'durationMs'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
} satisfies Tool
