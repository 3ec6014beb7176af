/** Harnesses whose tools hermes knows: names of `--mapping`, and of the mappings that ship with it. */
export const MAPPING_NAMES = [
  'common', 'anthropic', 'claude-code', 'cline', 'codex', 'continue', 'copilot', 'crush', 'cursor', 'gemini-cli',
  'goose', 'gptme', 'opencode', 'openhands', 'roo', 'swe-agent',
] as const

export type MappingName = (typeof MAPPING_NAMES)[number]
