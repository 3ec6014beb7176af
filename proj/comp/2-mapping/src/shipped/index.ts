import { MAPPING_NAMES, type MappingName } from '../../../0-contracts/src/index.js'
import { ANTHROPIC } from './anthropic.js'
import { CLAUDE_CODE } from './claude-code.js'
import { CLINE } from './cline.js'
import { CODEX } from './codex.js'
import { COMMON } from './common.js'
import { CONTINUE } from './continue.js'
import { COPILOT } from './copilot.js'
import { CRUSH } from './crush.js'
import { CURSOR } from './cursor.js'
import { GEMINI_CLI } from './gemini-cli.js'
import { GOOSE } from './goose.js'
import { GPTME } from './gptme.js'
import { OPENCODE } from './opencode.js'
import { OPENHANDS } from './openhands.js'
import { ROO } from './roo.js'
import { SWE_AGENT } from './swe-agent.js'

/** Mappings that ship with hermes, as texts of mapping files, by name. */
export const SHIPPED: Readonly<Record<MappingName, string>> = {
  'common': COMMON,
  'anthropic': ANTHROPIC,
  'claude-code': CLAUDE_CODE,
  'cline': CLINE,
  'codex': CODEX,
  'continue': CONTINUE,
  'copilot': COPILOT,
  'crush': CRUSH,
  'cursor': CURSOR,
  'gemini-cli': GEMINI_CLI,
  'goose': GOOSE,
  'gptme': GPTME,
  'opencode': OPENCODE,
  'openhands': OPENHANDS,
  'roo': ROO,
  'swe-agent': SWE_AGENT,
}

/** Whether a shipped mapping, or one that it extends, has a tool of this name, judged by its text. */
export function shippedHas(mapping: MappingName, tool: string): boolean {
  const text = SHIPPED[mapping]
  if (text.includes(`\n  ${tool}:`)) return true
  const extended = /^extends: \[(?<names>[^\]]*)\]/m.exec(text)?.groups?.['names']?.split(', ') ?? []
  return MAPPING_NAMES.some((name) => extended.includes(name) && shippedHas(name, tool))
}
