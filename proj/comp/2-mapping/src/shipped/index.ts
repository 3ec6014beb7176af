import { ANTHROPIC } from './anthropic.js'
import { CLAUDE_CODE } from './claude-code.js'
import { CLINE } from './cline.js'
import { CODEX } from './codex.js'
import { COMMON } from './common.js'
import { GEMINI_CLI } from './gemini-cli.js'
import { OPENHANDS } from './openhands.js'
import { SWE_AGENT } from './swe-agent.js'

/** The mappings that ship with hermes, as texts of mapping files, by name. */
export const SHIPPED: Readonly<Record<string, string>> = {
  'common': COMMON,
  'anthropic': ANTHROPIC,
  'claude-code': CLAUDE_CODE,
  'cline': CLINE,
  'codex': CODEX,
  'gemini-cli': GEMINI_CLI,
  'openhands': OPENHANDS,
  'swe-agent': SWE_AGENT,
}
