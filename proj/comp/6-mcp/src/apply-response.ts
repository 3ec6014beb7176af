import type { Tool } from '@modelcontextprotocol/server'

/** The tool that runs a whole answer. */
export const APPLY_RESPONSE = {
  name: 'apply_response',
  title: 'Run an answer',
  description: "Run every live block of a model's answer, in text order, each on its own: SHAM and NESL blocks, "
    + "```yaml hermes "
    + 'and ```json hermes envelopes, <tool_call> blocks, and edit formats where they are enabled. '
    + 'One bad block never costs '
    + 'another. All of it is one run: one commit, one undo.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The whole answer, as the model wrote it.' },
      dry_run: { type: 'boolean', default: false, description: 'Validate, but change nothing and start no command.' },
    },
    required: ['text'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
} satisfies Tool
