/** Harnesses whose tools hermes knows: names of `--mapping`, and of the mappings that ship with it. */
export const MAPPING_NAMES = [
  'common', 'anthropic', 'claude-code', 'cline', 'codex', 'continue', 'copilot', 'crush', 'cursor', 'gemini-cli',
  'goose', 'gptme', 'opencode', 'openhands', 'roo', 'swe-agent',
] as const

/** Name of a mapping that comes with hermes: calls of that harness become calls of verbs (docs/mappings.md). */
export type MappingName = (typeof MAPPING_NAMES)[number]
